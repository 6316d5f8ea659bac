import { words } from './words';

// Schemas for the kinds of objects that kubectl does not check for unknown fields without a server. They contain only the fields
// that the chart uses, so that each new field is compared with the Kubernetes documentation. These fields are in each version of
// Kubernetes that the chart supports. The types of three versions come from the kubectl of each, in test/deploy/helm.

const closed = (properties: Record<string, object>, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const list = (items: object, minItems = 1) => ({ type: 'array', minItems, items });
const text = { type: 'string', minLength: 1 };
const count = { type: 'integer', minimum: 0 };
const port = { type: 'integer', minimum: 1, maximum: 65_535 };
const name = { type: 'string', pattern: '^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$' };
const labels = {
  type: 'object',
  propertyNames: { pattern: '^([a-z0-9.-]{1,253}/)?[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$' },
  additionalProperties: { type: 'string', pattern: '^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$' },
};
const annotations = { type: 'object', additionalProperties: { type: 'string' } };
const selector = closed(
  {
    matchLabels: { ...labels, minProperties: 2 },
    matchExpressions: list(closed({ key: text, operator: { enum: ['In'] }, values: list(text) })),
  },
  ['matchLabels'],
);
const peer = { type: 'object', minProperties: 1, properties: { podSelector: {}, namespaceSelector: {}, ipBlock: {} } };
const networkPorts = list(
  closed({ protocol: { enum: ['TCP', 'UDP'] }, port: { oneOf: [port, { enum: ['http', 'metrics'] }] } }),
);
const policies = list(
  closed({
    type: { enum: ['Percent', 'Pods'] },
    value: count,
    periodSeconds: { type: 'integer', minimum: 1, maximum: 1800 },
  }),
);

const specs: Record<string, [apiVersion: string, spec: object | null]> = {
  ServiceAccount: ['v1', null],
  Service: [
    'v1',
    closed({
      type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
      selector: { ...labels, minProperties: 3 },
      ports: list(closed({ name: text, port, targetPort: { enum: ['http', 'metrics'] }, appProtocol: text })),
    }),
  ],
  Ingress: [
    'networking.k8s.io/v1',
    closed(
      {
        ingressClassName: text,
        tls: list(closed({ hosts: list(text), secretName: name })),
        rules: list(
          closed({
            host: { type: 'string', pattern: '^(\\*\\.)?[a-z0-9-]+(\\.[a-z0-9-]+)+$' },
            http: closed({
              paths: list(
                closed({
                  path: { const: '/' },
                  pathType: { enum: ['Prefix', 'Exact'] },
                  backend: closed({ service: closed({ name, port: closed({ name: text }) }) }),
                }),
              ),
            }),
          }),
        ),
      },
      ['rules'],
    ),
  ],
  // Gateway API 1.5, standard channel.
  ListenerSet: [
    'gateway.networking.k8s.io/v1',
    closed({
      parentRef: closed({ name, namespace: name }, ['name']),
      listeners: list(
        closed(
          {
            name: text,
            hostname: text,
            port,
            protocol: { enum: ['HTTP', 'HTTPS'] },
            tls: closed({ mode: { const: 'Terminate' }, certificateRefs: list(closed({ name: text })) }),
          },
          ['name', 'hostname', 'port', 'protocol'],
        ),
      ),
    }),
  ],
  HTTPRoute: [
    'gateway.networking.k8s.io/v1',
    closed({
      parentRefs: list(closed({ group: text, kind: text, name, namespace: name, sectionName: text }, ['name'])),
      hostnames: { ...list(text), maxItems: 16 },
      rules: list(closed({ backendRefs: list(closed({ name, port })) })),
    }),
  ],
  HorizontalPodAutoscaler: [
    'autoscaling/v2',
    closed({
      scaleTargetRef: closed({ apiVersion: text, kind: text, name }),
      minReplicas: count,
      maxReplicas: count,
      metrics: list(
        closed({
          type: { const: 'Resource' },
          resource: closed({
            name: { enum: ['cpu', 'memory'] },
            target: closed({ type: { const: 'Utilization' }, averageUtilization: count }),
          }),
        }),
      ),
      behavior: closed({
        scaleUp: closed({ stabilizationWindowSeconds: count, policies, selectPolicy: { enum: ['Max', 'Min'] } }),
        scaleDown: closed({ stabilizationWindowSeconds: count, policies }),
      }),
    }),
  ],
  PodDisruptionBudget: [
    'policy/v1',
    closed({
      maxUnavailable: count,
      unhealthyPodEvictionPolicy: { enum: ['AlwaysAllow', 'IfHealthyBudget'] },
      selector,
    }),
  ],
  NetworkPolicy: [
    'networking.k8s.io/v1',
    closed(
      {
        podSelector: selector,
        policyTypes: list({ enum: ['Ingress', 'Egress'] }),
        ingress: list(closed({ from: list(peer), ports: networkPorts }, ['ports'])),
        egress: list(closed({ to: list(peer), ports: networkPorts }, ['ports'])),
      },
      ['podSelector', 'policyTypes', 'egress'],
    ),
  ],
  ServiceMonitor: [
    'monitoring.coreos.com/v1',
    closed({
      jobLabel: text,
      selector,
      endpoints: list(closed({ port: { const: 'metrics' }, path: text, interval: text })),
    }),
  ],
  PrometheusRule: [
    'monitoring.coreos.com/v1',
    closed({
      groups: list(
        closed({
          name: text,
          rules: list(
            closed({ alert: text, expr: text, for: text, labels, annotations }, words('alert expr labels annotations')),
          ),
        }),
      ),
    }),
  ],
};

/** The JSON schema of each kind. */
export const kubernetesSchemas: Record<string, object> = Object.fromEntries(
  Object.entries(specs).map(([kind, [apiVersion, spec]]) => [
    kind,
    closed({
      apiVersion: { const: apiVersion },
      kind: { const: kind },
      metadata: closed({ name, namespace: name, labels, annotations }, ['name', 'namespace', 'labels']),
      ...(spec ? { spec } : { automountServiceAccountToken: { type: 'boolean' } }),
    }),
  ]),
);
