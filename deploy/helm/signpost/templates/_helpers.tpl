{{/* Names stay under 63 characters with the longest suffix, "-links-tls". Services of metrics shorten them further. */}}
{{- define "signpost.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" (.Release.Name | trunc 43 | trimSuffix "-") .Chart.Name -}}
{{- end -}}
{{- end -}}

{{/* Labels that never change during the life of a release, because selectors are immutable. */}}
{{- define "signpost.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "signpost.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
{{ include "signpost.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "signpost.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "signpost.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "signpost.fullname" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end -}}

{{/* The role that answers for a listener, "api" or "traffic"; empty if this release has no such role. */}}
{{- define "signpost.roleOf" -}}
{{- if has "all" .root.Values.roles -}}all
{{- else if has .listener .root.Values.roles -}}{{ .listener }}
{{- end -}}
{{- end -}}

{{/* The component "import" if separate pods run imports; else empty. */}}
{{- define "signpost.imports" -}}
{{- if and (eq .Values.imports.process "deployment") (include "signpost.roleOf" (dict "root" . "listener" "api")) -}}import{{- end -}}
{{- end -}}

{{/* The components with pods, as JSON: the roles, and "import" if separate pods run imports. */}}
{{- define "signpost.components" -}}
{{- concat .Values.roles (list (include "signpost.imports" .)) | compact | toJson -}}
{{- end -}}

{{- define "signpost.podSecurityContext" -}}
runAsNonRoot: true
{{- with .Values.runAsUser }}
runAsUser: {{ int64 . }}
{{- end }}
{{- with .Values.runAsGroup }}
runAsGroup: {{ int64 . }}
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "signpost.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
privileged: false
capabilities:
  drop: [ALL]
{{- end -}}

{{/* The environment that every program of the image needs to start. `database` names the secret with the connection. */}}
{{- define "signpost.commonEnv" -}}
- name: NODE_ENV
  value: production
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .database.existingSecret }}
      key: {{ .database.urlKey }}
{{- with .database.directUrlKey }}
- name: DATABASE_DIRECT_URL
  valueFrom:
    secretKeyRef:
      name: {{ $.database.existingSecret }}
      key: {{ . }}
{{- end }}
- name: API_KEY_PEPPER
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.apiKeyPepper.existingSecret }}
      key: {{ .root.Values.apiKeyPepper.key }}
{{- with .root.Values.clickhouse.existingSecret }}
- name: CLICKHOUSE_URL
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $.root.Values.clickhouse.urlKey }}
{{- end }}
{{- if .root.Values.clickhouse.existingSecret }}
- name: CLICKHOUSE_MODE
  value: {{ .root.Values.clickhouse.mode | quote }}
{{- end }}
{{- end -}}

{{/* Empty without an identity provider. */}}
{{- define "signpost.identityProviderEnv" -}}
{{- with .jwksUrl }}
- name: DASHBOARD_JWKS_URL
  value: {{ . | quote }}
{{- end }}
{{- if .jwksConfigMap }}
- name: DASHBOARD_JWKS_FILE
  value: {{ printf "/etc/signpost/identity-provider/%s" .jwksKey | quote }}
{{- end }}
{{- with .issuer }}
- name: DASHBOARD_ISSUER
  value: {{ . | quote }}
{{- end }}
{{- with .audience }}
- name: DASHBOARD_AUDIENCE
  value: {{ . | quote }}
{{- end }}
{{- with .accountClaim }}
- name: DASHBOARD_ACCOUNT_CLAIM
  value: {{ . | quote }}
{{- end }}
{{- with .userClaim }}
- name: DASHBOARD_USER_CLAIM
  value: {{ . | quote }}
{{- end }}
{{- with .emailClaim }}
- name: DASHBOARD_EMAIL_CLAIM
  value: {{ . | quote }}
{{- end }}
{{- with .rolesSource }}
- name: DASHBOARD_ROLES_SOURCE
  value: {{ . | quote }}
{{- end }}
{{- with .rolesClaim }}
- name: DASHBOARD_ROLES_CLAIM
  value: {{ . | quote }}
{{- end }}
{{- with .roles }}
- name: DASHBOARD_ROLES
  value: {{ . | quote }}
{{- end }}
{{- with .algorithms }}
- name: DASHBOARD_ALGORITHMS
  value: {{ join "," . | quote }}
{{- end }}
{{- if not (kindIs "invalid" .clockSkewSeconds) }}
- name: DASHBOARD_CLOCK_SKEW_SECONDS
  value: {{ int64 .clockSkewSeconds | quote }}
{{- end }}
{{- end -}}

{{/* Helm reads numbers as floats and would write a million as 1e+06. */}}
{{- define "signpost.text" -}}
{{- if kindIs "float64" . -}}{{ int64 . }}{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{/* One rule of egress. */}}
{{- define "signpost.egress" -}}
- {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    {{- range .ports }}
    - protocol: TCP
      port: {{ int64 . }}
    {{- end }}
{{- end -}}

{{/* The rules of ingress for metrics; an empty list without metrics. */}}
{{- define "signpost.ingressOfMetrics" -}}
{{- if .Values.metrics.enabled -}}
- {{- with .Values.networkPolicy.metricsFrom }}
  from:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    - protocol: TCP
      port: metrics
{{- end -}}
{{- end -}}

{{- define "signpost.egressToDns" -}}
- {{- with .Values.networkPolicy.dns.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
{{- end -}}
