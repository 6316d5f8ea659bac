/** @needs helm */
import { maxUploadBytes } from '../../src/imports/api/import-upload.service';
import { special4, special6 } from '../../src/platform/outbound/public-address';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { readConfig } from '../../src/app/settings/config';
import {
  chart,
  type Container,
  helm,
  kubectl,
  type KubernetesVersion,
  kubernetesVersions,
  type Manifest,
  type PodSpec,
  render,
  root,
  selects,
  template,
  valueFile,
} from '../support/chart-tools';
import { configVariables } from '../support/config-variables';
import { kubernetesSchemas } from '../support/kubernetes-schemas';

const files = ['minimal', 'production', 'region', 'single-node'] as const;
const rendered = new Map<string, Manifest[]>();
beforeAll(() => {
  for (const file of files) rendered.set(file, render({ file }));
});

const of = (file: string, kind: string): Manifest[] => rendered.get(file)!.filter((one) => one.kind === kind);
const deployments = (file: string): Manifest[] => of(file, 'Deployment');
const podOf = (manifest: Manifest): PodSpec => manifest.spec.template.spec;
const containerOf = (manifest: Manifest): Container => podOf(manifest).containers[0]!;
const environmentOf = (manifest: Manifest): Record<string, string | undefined> =>
  Object.fromEntries(containerOf(manifest).env.map(({ name, value }) => [name, value]));
const named = (manifests: Manifest[], kind: string, suffix: string): Manifest =>
  manifests.find((one) => one.kind === kind && one.metadata.name === `demo-signpost${suffix}`)!;
const namesOf = (manifests: Manifest[]): string[] => manifests.map(({ metadata }) => metadata.name).sort();
const policy = (suffix = ''): Manifest => named(rendered.get('production')!, 'NetworkPolicy', suffix);
/** Returns the names of the policies, or of other objects, that values render. */
const namesIn = (kind: string, values: object, file = 'production'): string[] =>
  namesOf(render({ file, values }).filter((one) => one.kind === kind));
/** Returns the container of the deployment for all roles. */
const containerWith = (values: object): Container =>
  containerOf(named(render({ file: 'minimal', values }), 'Deployment', '-all'));
/** Settings that the pods read from secrets. */
const secrets = {
  DATABASE_URL: 'postgres://signpost:password@postgres/signpost',
  API_KEY_PEPPER: 'a-pepper-of-more-than-thirty-two-characters',
  // They are optional.
  REDIS_URL: undefined,
  CLICKHOUSE_URL: undefined,
  PICTURES_S3_URL: undefined,
};
/** Returns the workloads that run the image: deployments and the migration job. */
const workloads = (file: string): Manifest[] => [...deployments(file), ...of(file, 'Job')];

describe('helm', () => {
  it.each(files)('lints the chart with the values "%s", strictly', (file) => {
    const { status, stdout } = helm(['lint', '--strict', chart, '--values', valueFile(file)]);
    expect([status, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
    expect(stdout).not.toMatch(/\[(WARNING|ERROR)\]/);
  });

  it('reports missing required values', () => {
    const { status, stderr } = template({});
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/apiBaseUrl/);
    expect(stderr).toMatch(/linkBaseUrl/);
  });
});

const certManager = { apiIssuer: 'letsencrypt', linksIssuer: 'letsencrypt-dns' };
const withIngress = { gateway: { enabled: false }, ingress: { enabled: true, certManager } };
const withoutMetrics = { metrics: { enabled: false, serviceMonitor: { enabled: false } } };

/** Values that add what the example files leave out, for the schemas. */
const variants = [
  ...files.map((file) => ({ file, values: {} })),
  { file: 'production', values: { gateway: { listenerSets: false, customDomains: ['go.example.org'] } } },
  { file: 'production', values: withIngress },
];

describe.each(kubernetesVersions)('Kubernetes 1.%i', (version) => {
  it.each(variants)('accepts the objects of "$file" with $values', ({ file, values }) => {
    const manifests = render({ file, values, kubernetes: version });
    const ajv = new Ajv({ strict: false, allErrors: true });
    const isWorkload = ({ kind }: Manifest): boolean => kind === 'Deployment' || kind === 'Job';
    for (const manifest of manifests.filter((one) => !isWorkload(one))) {
      const { kind } = manifest;
      const validate = ajv.compile(kubernetesSchemas[kind]!);
      validate(manifest);
      expect({ kind, errors: validate.errors }).toEqual({ kind, errors: null });
    }
    // kubectl does not have the types of operators.
    const builtIn = manifests.filter(({ apiVersion }) => !/^(monitoring|gateway)\./.test(apiVersion));
    const withPods = manifests.filter(isWorkload);
    const { read, otherTypes } = readByKubectl(builtIn, version);
    expect(read).toMatchObject(withPods);
    expect(otherTypes).toBe(builtIn.length - withPods.length);
  });
});

describe.each(files)('the objects of "%s"', (file) => {
  it('have valid unique names in the namespace of the release', () => {
    const names = rendered.get(file)!.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { metadata, kind } of rendered.get(file)!) {
      expect(metadata.name).toMatch(/^[a-z][a-z0-9-]{0,62}$/);
      expect([kind, metadata.namespace]).toEqual([kind, 'links']);
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/name': 'signpost',
        'app.kubernetes.io/instance': 'demo',
        'app.kubernetes.io/managed-by': 'Helm',
      });
    }
  });

  it('contain names of secrets and no secret', () => {
    expect(of(file, 'Secret')).toEqual([]);
    for (const workload of workloads(file)) {
      for (const { name, value, valueFrom } of containerOf(workload).env) {
        const secret = name in secrets || ['DATABASE_DIRECT_URL', 'PRIMARY_DATABASE_URL'].includes(name);
        expect([name, value === undefined]).toEqual([name, secret]);
        if (secret) expect(valueFrom?.secretKeyRef.name).toMatch(/^signpost-/);
      }
    }
  });

  it('set only known variables to valid values', () => {
    const known = configVariables();
    for (const workload of workloads(file)) {
      const { env } = containerOf(workload);
      const names = env.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      // Variables of Node and of the OpenTelemetry SDK.
      const others = names.filter((name) => !known.includes(name));
      expect(others.filter((name) => name !== 'NODE_OPTIONS' && !name.startsWith('OTEL_'))).toEqual([]);
      expect(readConfig({ ...environmentOf(workload), ...secrets })).toMatchObject({ production: true });
    }
  });

  it('run unprivileged with a read-only file system', () => {
    for (const workload of workloads(file)) {
      const pod = podOf(workload);
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toEqual({
        runAsNonRoot: true,
        runAsUser: 10001,
        runAsGroup: 10001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(pod.containers).toHaveLength(1);
      expect(containerOf(workload).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        privileged: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    for (const account of of(file, 'ServiceAccount')) expect(account.automountServiceAccountToken).toBe(false);
  });

  it('have resource requests, a memory limit and no CPU limit', () => {
    for (const workload of workloads(file))
      expect(containerOf(workload).resources).toEqual({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    // Node limits its heap to half of the container's memory, and the link cache is in the heap.
    for (const deployment of deployments(file).filter((one) => environmentOf(one)['ROLE'] !== 'import')) {
      const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(containerOf(deployment).resources.limits['memory']!)!;
      const megabytes = (Number(amount) * (unit === 'Gi' ? 2 ** 30 : 2 ** 20)) / 1e6;
      const links = 1.5 * Number(environmentOf(deployment)['LINK_CACHE_MB']);
      expect(megabytes).toBeGreaterThanOrEqual(2 * (links + 130));
    }
  });

  it('have probes on existing paths', () => {
    for (const deployment of deployments(file)) {
      const { startupProbe, livenessProbe, readinessProbe, ports } = containerOf(deployment);
      const { ROLE } = environmentOf(deployment);
      expect(startupProbe.httpGet).toEqual({ path: '/health/startup', port: 'http' });
      expect(livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
      // A database outage affects all replicas and must not remove those with cached links from the Service.
      const ready = ROLE === 'all' ? '/health/ready/traffic' : '/health/ready';
      expect(readinessProbe.httpGet).toEqual({ path: ready, port: 'http' });
      expect(ports).toContainEqual({ name: 'http', containerPort: Number(environmentOf(deployment)['PORT']) });
      // The program waits one minute for its database, and two seconds for an answer.
      expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThan(60);
      for (const { timeoutSeconds } of [startupProbe, readinessProbe]) expect(timeoutSeconds).toBeGreaterThan(3);
      expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold).toBeLessThanOrEqual(15);
    }
  });

  it('stop one after the other, with enough time', () => {
    for (const deployment of deployments(file)) {
      const environment = environmentOf(deployment);
      const goesOn = Number(environment['SHUTDOWN_DELAY_SECONDS']);
      const inFlight = Number(environment['SHUTDOWN_TIMEOUT_SECONDS']);
      // A single node has no load balancer with delayed updates.
      expect(goesOn).toBeGreaterThan(file === 'single-node' ? 0 : 5);
      expect(podOf(deployment).terminationGracePeriodSeconds).toBe(goesOn + inFlight + 15);
      expect(deployment.spec.strategy).toEqual({
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: 0, maxSurge: '25%' },
      });
    }
  });

  it('select existing pods and ports', () => {
    const pods = deployments(file).map(({ spec }) => spec.template.metadata.labels);
    for (const deployment of deployments(file)) {
      const own = deployment.spec.template.metadata.labels;
      expect(pods.filter((labels) => selects(deployment.spec.selector, labels))).toEqual([own]);
      for (const { labelSelector } of podOf(deployment).topologySpreadConstraints ?? [])
        expect(pods.filter((labels) => selects(labelSelector, labels))).toEqual([own]);
      const account = podOf(deployment).serviceAccountName;
      expect([...namesOf(of(file, 'ServiceAccount')), 'default']).toContain(account);
    }
    for (const service of of(file, 'Service')) {
      const matchLabels = service.spec.selector as unknown as Record<string, string>;
      const [deployment, ...others] = deployments(file).filter(({ spec }) =>
        selects({ matchLabels }, spec.template.metadata.labels),
      );
      expect(others).toEqual([]);
      const listener = service.metadata.name.endsWith('-metrics') ? 'metrics' : 'http';
      const suffix = listener === 'metrics' ? '-metrics' : '';
      expect(service.metadata.name).toBe(`${deployment!.metadata.name}${suffix}`);
      expect(containerOf(deployment!).ports!.map(({ name }) => name)).toContain(listener);
      expect(service.spec.ports.map(({ name, targetPort }) => [name, targetPort])).toEqual([[listener, listener]]);
    }
    // Nobody sends requests to pods of imports.
    const targets = deployments(file).flatMap((deployment) =>
      containerOf(deployment).ports!.filter(
        ({ name }) => name === 'metrics' || environmentOf(deployment)['ROLE'] !== 'import',
      ),
    );
    expect(of(file, 'Service')).toHaveLength(targets.length);
    for (const { spec } of of(file, 'PodDisruptionBudget'))
      expect(pods.filter((labels) => selects(spec.selector, labels))).toHaveLength(1);
    for (const { spec, metadata } of of(file, 'HorizontalPodAutoscaler')) {
      expect(spec.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name });
      const target = deployments(file).find(({ metadata: { name } }) => name === metadata.name)!;
      // Helm would reset the replica count of the autoscaler at each upgrade.
      expect(target.spec.replicas).toBeUndefined();
      expect(spec.minReplicas).toBeLessThan(spec.maxReplicas);
    }
    for (const { spec } of of(file, 'Ingress'))
      for (const { http } of spec.rules)
        for (const { backend } of http.paths) {
          const service = of(file, 'Service').find(({ metadata }) => metadata.name === backend.service.name);
          expect(service!.spec.ports.map(({ name }) => name)).toContain(backend.service.port.name);
        }
    for (const { spec } of of(file, 'ServiceMonitor')) {
      const matched = of(file, 'Service').filter(
        ({ metadata, spec: { ports } }) =>
          selects(spec.selector, metadata.labels) && ports.some(({ name }) => name === spec.endpoints[0]!.port),
      );
      expect(matched).toHaveLength(deployments(file).length);
      for (const { metadata } of matched) expect(metadata.labels[spec.jobLabel]).toBe('signpost');
    }
  });
});

describe('roles', () => {
  it('are one deployment by default', () => {
    expect(namesOf(deployments('minimal'))).toEqual(['demo-signpost-all', 'demo-signpost-import']);
    const ofProduction = ['demo-signpost-api', 'demo-signpost-import', 'demo-signpost-traffic'];
    expect(namesOf(deployments('production'))).toEqual(ofProduction);
    for (const file of files)
      for (const deployment of deployments(file))
        expect(deployment.metadata.name).toBe(`demo-signpost-${environmentOf(deployment)['ROLE']}`);
  });

  it('can run in separate clusters, without the listener of the other role', () => {
    expect(namesIn('Deployment', { roles: ['traffic'] })).toEqual(['demo-signpost-traffic']);
    expect(namesIn('HTTPRoute', { roles: ['traffic'] })).toEqual(['demo-signpost-links']);
  });
});

describe('imports', () => {
  /** Returns the role of each deployment, and where it expects imports to run. */
  const placesIn = (manifests: Manifest[]) =>
    manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map((one) => readConfig({ ...environmentOf(one), ...secrets }))
      .map(({ role, importProcess }) => (role === 'all' || role === 'api' ? `${role}: ${importProcess}` : role))
      .sort();
  const child = { imports: { process: 'child' } };

  it.each<[values: object, places: string[]]>([
    [{ roles: ['all'] }, ['all: separate', 'import']],
    [{ roles: ['api', 'traffic'] }, ['api: separate', 'import', 'traffic']],
    [{ roles: ['api'] }, ['api: separate', 'import']],
    [{ roles: ['traffic'] }, ['traffic']],
    [{ roles: ['all'], ...child }, ['all: child']],
    [{ roles: ['api', 'traffic'], ...child }, ['api: child', 'traffic']],
  ])('run in one place with %j', (values, places) => {
    expect(placesIn(render({ file: 'production', values }))).toEqual(places);
  });

  const ofImports = () => named(rendered.get('production')!, 'Deployment', '-import');

  it('have a limited heap, whatever NODE_OPTIONS are', () => {
    // Node reads NODE_OPTIONS first, so that arguments win.
    expect(environmentOf(ofImports())['NODE_OPTIONS']).toBe('--max-semi-space-size=32');
    const [program, ...args] = containerOf(ofImports()).command!;
    expect([program, args.pop()]).toEqual(['node', 'dist/main.js']);
    const printLimit = 'console.log(v8.getHeapStatistics().heap_size_limit)';
    const { stdout } = spawnSync(process.execPath, [...args, '--print', printLimit], {
      encoding: 'utf8',
      env: { NODE_OPTIONS: '--max-old-space-size=4000 --max-semi-space-size=32' },
    });
    expect(Number.parseInt(stdout)).toBeLessThan(150 * 2 ** 20);
    const ofChild = readFileSync(join(root, 'src/app/import-child.ts'), 'utf8');
    for (const arg of args) expect(ofChild).toContain(`'${arg}'`);
  });

  it('admit Prometheus alone, and reach the database and the hosts of lists', () => {
    const labels = ofImports().spec.template.metadata.labels;
    const policies = of('production', 'NetworkPolicy').filter(({ spec }) => selects(spec.podSelector, labels));
    expect(namesOf(policies)).toEqual(['demo-signpost-import', 'demo-signpost-probes']);
    const ports = (rules: { ports: { port: number | string }[] }[] = []) =>
      rules.flatMap((one) => one.ports.map(({ port }) => port));
    expect(ports(policy('-import').spec.ingress)).toEqual(['metrics']);
    expect(ports(policy('-import').spec.egress)).toEqual([53, 53, 5432, 4318]);
    const closed = named(render({ file: 'production', values: withoutMetrics }), 'NetworkPolicy', '-import');
    expect([closed.spec.policyTypes, closed.spec.ingress]).toEqual([['Ingress', 'Egress'], undefined]);
  });
});

it('the image is the version of the chart, a tag, or a digest', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const images = [{}, { tag: '0.2.0' }, { tag: '0.2.0', digest }].map((image) => containerWith({ image }).image);
  expect(images.map((image) => image.replace('registry.example.com/signpost', ''))).toEqual([
    ':0.1.0',
    ':0.2.0',
    `@${digest}`,
  ]);
});

it('the environment keeps large numbers unchanged and omits empty values', () => {
  const settings = { RATE_LIMIT_PER_MINUTE: 100_000_000, QUOTA_FREE_PROJECTS: 0, QUOTA_PRO_PROJECTS: 'unlimited' };
  const seen = Object.fromEntries(containerWith({ settings }).env.map(({ name, value }) => [name, value]));
  expect(seen).toMatchObject({
    RATE_LIMIT_PER_MINUTE: '100000000',
    QUOTA_FREE_PROJECTS: '0',
    QUOTA_PRO_PROJECTS: 'unlimited',
  });
  const empty = ['TRUSTED_PROXIES', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'REDIS_URL', 'CLICKHOUSE_URL'];
  expect(empty.filter((name) => name in seen)).toEqual([]);
});

describe('the identity provider', () => {
  const production = (values: object = {}) => render({ file: 'production', values });
  const deployment = (manifests: Manifest[], role: string) => named(manifests, 'Deployment', `-${role}`);
  const settingsOf = (manifest: Manifest) => readConfig({ ...environmentOf(manifest), ...secrets }).identityProvider;

  it('is configured for the management API only', () => {
    expect(settingsOf(deployment(production(), 'api'))).toMatchObject({
      keySet: { url: new URL('https://id.example.com/realms/links/protocol/openid-connect/certs') },
      issuer: 'https://id.example.com/realms/links',
      audience: 'https://api.example.com',
      clockSkewSeconds: 30,
    });
    expect(settingsOf(deployment(production(), 'traffic'))).toBeUndefined();
    expect(settingsOf(deployments('minimal')[0]!)).toBeUndefined();
  });

  it('lets people sign in to the console of the management API, and lets link traffic start', () => {
    const manifests = production({ settings: { CONSOLE_CLIENT_ID: 'console' } });
    const [api, traffic] = ['api', 'traffic'].map((role) => environmentOf(deployment(manifests, role)));
    const { consoleProvider } = readConfig({ ...api, ...secrets });
    expect(consoleProvider).toMatchObject({ clientId: 'console', scope: 'openid' });
    expect(readConfig({ ...traffic, ...secrets }).consoleProvider).toBeNull();
    expect(Object.keys(traffic!).filter((name) => name.startsWith('CONSOLE'))).toEqual([]);
  });

  it('can provide its keys by a ConfigMap, whose changes reach the pods', () => {
    const identityProvider = { jwksUrl: '', jwksConfigMap: 'provider-keys', jwksKey: 'keys.json' };
    const extraVolumes = [{ name: 'extra', emptyDir: {} }];
    const extraVolumeMounts = [{ name: 'extra', mountPath: '/extra' }];
    const manifests = production({ identityProvider, extraVolumes, extraVolumeMounts });
    const api = deployment(manifests, 'api');
    expect(settingsOf(api)).toMatchObject({ keySet: { file: '/etc/signpost/identity-provider/keys.json' } });
    expect(podOf(api)).toMatchObject({
      volumes: [{ name: 'identity-provider-keys', configMap: { name: 'provider-keys' } }, ...extraVolumes],
    });
    expect(containerOf(api)).toMatchObject({
      volumeMounts: [
        { name: 'identity-provider-keys', mountPath: '/etc/signpost/identity-provider', readOnly: true },
        ...extraVolumeMounts,
      ],
    });
    expect(readByKubectl([api]).read).toMatchObject([api]);
    expect(podOf(deployment(manifests, 'traffic'))).toMatchObject({ volumes: extraVolumes });
    expect(namesOf(manifests.filter(({ kind }) => kind === 'NetworkPolicy'))).not.toContain('demo-signpost-sign-in');
  });

  it('is reachable only for the pods that use it', () => {
    const signIn = policy('-sign-in');
    expect(signIn.spec.policyTypes).toEqual(['Egress']);
    expect(signIn.spec.egress).toEqual([{ ports: [{ protocol: 'TCP', port: 443 }] }]);
    const selected = deployments('production').filter(({ spec }) =>
      selects(signIn.spec.podSelector, spec.template.metadata.labels),
    );
    expect(namesOf(selected)).toEqual(['demo-signpost-api']);
    expect(namesIn('NetworkPolicy', { roles: ['traffic'] })).not.toContain('demo-signpost-sign-in');
  });
});

describe('migrations', () => {
  it('run in a hook before the pods are replaced, and not in the pods', () => {
    for (const file of ['minimal', 'production']) {
      const [job] = of(file, 'Job');
      expect(job!.metadata.annotations).toEqual({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-weight': '0',
        'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
      });
      expect(containerOf(job!).command).toEqual(['node', 'dist/migrate.js']);
      expect(containerOf(job!).image).toBe(containerOf(deployments(file)[0]!).image);
      expect(podOf(job!).restartPolicy).toBe('Never');
      // The release's service account does not exist when the hook runs for the first time.
      expect(podOf(job!).serviceAccountName).toBeUndefined();
      for (const deployment of deployments(file)) expect(environmentOf(deployment)['MIGRATE_ON_START']).toBe('false');
    }
  });

  it('can use separate credentials', () => {
    const secretOf = (manifest: Manifest, variable: string) =>
      containerOf(manifest).env.find(({ name }) => name === variable)?.valueFrom?.secretKeyRef;
    const [job] = of('production', 'Job');
    expect(secretOf(job!, 'DATABASE_URL')).toEqual({ name: 'signpost-db-owner', key: 'uri' });
    expect(secretOf(job!, 'DATABASE_DIRECT_URL')).toBeUndefined();
    const [api] = deployments('production');
    expect(secretOf(api!, 'DATABASE_URL')).toEqual({ name: 'signpost-db-app', key: 'pooler-uri' });
    expect(secretOf(api!, 'DATABASE_DIRECT_URL')).toEqual({ name: 'signpost-db-app', key: 'uri' });
  });

  it('run at the start of the pods without hooks', () => {
    expect(of('single-node', 'Job')).toEqual([]);
    expect(environmentOf(deployments('single-node')[0]!)['MIGRATE_ON_START']).toBe('true');
  });
});

describe('services', () => {
  it.each(['ClusterIP', 'NodePort', 'LoadBalancer'])('of type %s never publish the metrics', (type) => {
    const annotations = { 'example.com/load-balancer': 'public' };
    const seen = render({ file: 'production', values: { service: { type, annotations } } })
      .filter(({ kind }) => kind === 'Service')
      .map(({ metadata: { name, annotations }, spec }) => [
        name,
        spec.type,
        annotations,
        spec.ports.map((one) => `${one.name} ${one.port}`),
      ]);
    expect(seen).toEqual([
      ['demo-signpost-api', type, annotations, ['http 80']],
      ['demo-signpost-api-metrics', 'ClusterIP', undefined, ['metrics 9464']],
      ['demo-signpost-traffic', type, annotations, ['http 80']],
      ['demo-signpost-traffic-metrics', 'ClusterIP', undefined, ['metrics 9464']],
      ['demo-signpost-import-metrics', 'ClusterIP', undefined, ['metrics 9464']],
    ]);
  });

  it('do not exist for metrics that are off', () => {
    expect(namesIn('Service', withoutMetrics)).toEqual(['demo-signpost-api', 'demo-signpost-traffic']);
  });
});

describe('gateway', () => {
  const customDomains = ['go.example.org'];
  const gateway = { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateway' }], customDomains };
  const hosts = [['api.example.com'], ['*.go.example.com'], customDomains];

  it.each([
    [true, ['demo-signpost-api', 'demo-signpost-links', 'demo-signpost-domains']],
    [false, ['public', 'public', 'public']],
  ])('routes all hosts, with listener sets: %s', (listenerSets, parents) => {
    const objects = render({ file: 'production', values: { gateway: { ...gateway, listenerSets } } });
    const routes = objects.filter(({ kind }) => kind === 'HTTPRoute').map(({ spec }) => spec as unknown as Route);
    const byHost = (one: Route): number => hosts.findIndex(([host]) => host === one.hostnames[0]);
    routes.sort((one, other) => byHost(one) - byHost(other));
    expect(routes.map(({ hostnames }) => hostnames)).toEqual(hosts);
    expect(routes.map(({ parentRefs }) => parentRefs[0]!.name)).toEqual(parents);
    const backends = ['demo-signpost-api', 'demo-signpost-traffic', 'demo-signpost-traffic'];
    expect(routes.map(({ rules }) => rules[0]!.backendRefs[0]!.name)).toEqual(backends);
    expect(objects.filter(({ kind }) => kind === 'ListenerSet')).toHaveLength(listenerSets ? 3 : 0);
  });

  it.each([
    ['exclude each other', { gateway, ingress: { enabled: true } }],
    ['requires gateway.parentRefs', { gateway: { enabled: true } }],
  ])('is refused: %s', (message, values) => {
    expect(template({ file: 'minimal', values }).stderr).toContain(message);
  });
});

interface Route {
  hostnames: string[];
  parentRefs: { name: string }[];
  rules: { backendRefs: { name: string }[] }[];
}

describe('ingress', () => {
  it('routes the API host and the link hosts to their services, each with a certificate', () => {
    const ingresses = render({ file: 'production', values: withIngress }).filter(({ kind }) => kind === 'Ingress');
    const seen = ingresses.map(({ spec: { rules, tls }, metadata: { annotations } }) => ({
      host: rules[0]!.host,
      service: rules[0]!.http.paths[0]!.backend.service.name,
      tls,
      issuer: annotations!['cert-manager.io/cluster-issuer'],
    }));
    const expected = (host: string, service: string, secret: string, issuer: string) => ({
      host,
      service: `demo-signpost-${service}`,
      tls: [{ hosts: [host], secretName: `demo-signpost-${secret}-tls` }],
      issuer,
    });
    expect(seen).toEqual([
      expected('api.example.com', 'api', 'api', 'letsencrypt'),
      expected('*.go.example.com', 'traffic', 'links', 'letsencrypt-dns'),
    ]);
  });

  it('lets nginx accept the largest files of imports, if it has the annotation that the pages name', () => {
    for (const page of ['docs/operating/install.md', 'deploy/helm/signpost/README.md']) {
      const limits = readFileSync(join(root, page), 'utf8').matchAll(/(?:body-size:|client_max_body_size) (\d+)m/g);
      const mebibytes = [...limits].map(([, number]) => Number(number));
      expect([page, Math.min(...mebibytes) * 2 ** 20 >= maxUploadBytes]).toEqual([page, true]);
    }
  });

  it('has no certificate without TLS', () => {
    for (const { spec, metadata } of of('single-node', 'Ingress')) {
      expect(spec.tls).toBeUndefined();
      expect(metadata.annotations).toBeUndefined();
    }
    expect(of('minimal', 'Ingress')).toEqual([]);
  });
});

describe('network policies', () => {
  const namespace = (name: string) => ({
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
  });

  it('select all pods of roles and allow the ingress controller and Prometheus', () => {
    const [own, ofMigration] = [policy(), policy('-migrate')];
    for (const { metadata, spec } of deployments('production'))
      expect(selects(own.spec.podSelector, spec.template.metadata.labels)).toBe(!metadata.name.endsWith('-import'));
    const [job] = of('production', 'Job');
    expect(selects(own.spec.podSelector, job!.spec.template.metadata.labels)).toBe(false);
    expect(selects(ofMigration.spec.podSelector, job!.spec.template.metadata.labels)).toBe(true);
    expect(own.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(own.spec.ingress).toEqual([
      { from: [namespace('gateway')], ports: [{ protocol: 'TCP', port: 'http' }] },
      { from: [namespace('monitoring')], ports: [{ protocol: 'TCP', port: 'metrics' }] },
    ]);
  });

  const parentRefs = [{ name: 'public' }, { name: 'edge', namespace: 'edge' }, { name: 'internal', namespace: 'edge' }];
  it.each([
    ['namespaces of the Gateways', { gateway: { enabled: true, parentRefs } }, ['links', 'edge']],
    ['the namespace of the release', { ingress: { enabled: true } }, ['links']],
  ])('admit %s by default', (_, values, namespaces) => {
    const manifests = render({ file: 'minimal', values: { ...values, networkPolicy: { enabled: true } } });
    const [own] = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
    expect(own!.spec.ingress![0]!.from).toEqual(namespaces.map(namespace));
  });

  const portsOf = ({ spec }: Manifest) => spec.egress.map(({ ports }) => ports.map(({ port }) => port));

  it('allow egress to DNS and PostgreSQL, and to Redis, ClickHouse, the bucket and the collector if used', () => {
    const [own, ofMigration] = [policy(), policy('-migrate')];
    expect(portsOf(own)).toEqual([[53, 53], [5432], [6379], [8123], [9000], [4318]]);
    expect(own.spec.egress.every(({ to }) => to!.length > 0)).toBe(true);
    expect(portsOf(ofMigration)).toEqual([[53, 53], [5432], [8123]]);
    const without = render({ file: 'minimal', values: { networkPolicy: { enabled: true } } });
    expect(portsOf(without.find(({ kind }) => kind === 'NetworkPolicy')!)).toEqual([[53, 53], [5432]]);
  });

  it('allow egress to project hosts only for the API and only if enabled', () => {
    const probes = policy('-probes');
    expect(probes.spec.policyTypes).toEqual(['Egress']);
    const except = (networks: [string, number][]) => networks.map(([network, prefix]) => `${network}/${prefix}`);
    expect(probes.spec.egress).toEqual([
      {
        to: [
          { ipBlock: { cidr: '0.0.0.0/0', except: except(special4) } },
          { ipBlock: { cidr: '2000::/3', except: except(special6) } },
        ],
        ports: [{ protocol: 'TCP', port: 443 }],
      },
    ]);
    const selected = deployments('production').filter(({ spec }) =>
      selects(probes.spec.podSelector, spec.template.metadata.labels),
    );
    expect(namesOf(selected)).toEqual(['demo-signpost-api', 'demo-signpost-import']);
    for (const without of [
      namesIn('NetworkPolicy', { roles: ['traffic'] }),
      namesIn('NetworkPolicy', { networkPolicy: { enabled: true } }, 'minimal'),
    ])
      expect(without).not.toContain('demo-signpost-probes');
  });

  it('exist for the migration before it runs, and are deleted with it', () => {
    const ofMigration = policy('-migrate');
    const [job] = of('production', 'Job');
    const weight = ({ metadata }: Manifest) => Number(metadata.annotations!['helm.sh/hook-weight']);
    expect(weight(ofMigration)).toBeLessThan(weight(job!));
    expect(ofMigration.metadata.annotations!['helm.sh/hook']).toBe(job!.metadata.annotations!['helm.sh/hook']);
    expect(ofMigration.metadata.annotations!['helm.sh/hook-delete-policy']).toContain('hook-succeeded');
  });
});

/**
 * Reads objects with the types of kubectl, which drop unknown fields and reject wrong types. Returns the workloads, and the number
 * of other objects that have valid types.
 */
function readByKubectl(manifests: Manifest[], version?: KubernetesVersion): { read: Manifest[]; otherTypes: number } {
  // kubectl prints only changed objects, and reports that the others have no pods.
  const args = ['set', 'env', '--local', '--filename', '-', '--output', 'json', 'ADDED=1'];
  const input = manifests.map((one) => JSON.stringify(one)).join('\n');
  const { stdout, stderr } = kubectl(args, input, version);
  const read = stdout
    .split(/^(?=\{)/m)
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as Manifest);
  for (const container of read.map(containerOf)) container.env = container.env.filter(({ name }) => name !== 'ADDED');
  expect(stderr).not.toContain('unable to decode');
  return { read, otherTypes: stderr.match(/does not have a pod template/g)?.length ?? 0 };
}
