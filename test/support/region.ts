import type { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { Cluster } from './cluster';
import { documentedRights } from './region-rights';
import { DatabaseProxy } from './database-proxy';
import { until } from './eventually';
import { freePort } from './free-port';
import { fixture } from './fixtures';
import { anAccountByShell, endAllPrograms, Program, run, type RunProgram } from './process';

/** The tables that a region must have as its primary has them. Heartbeats change every second. */
const replicated = [
  ...['projects', 'subdomains', 'custom_domains', 'ios_apps', 'android_apps'],
  ...['dynamic_links', 'short_links', 'link_paths'],
];

/** How long data takes from one side of the network to the other, as between continents. */
const distanceMs = 40;

interface Launches {
  primary?: typeof startEmbeddedPostgres;
  region?: typeof startEmbeddedPostgres;
}

async function startServers(primarySettings: Record<string, string> = {}, launches: Launches = {}) {
  const [primary, region] = await Promise.all([
    Cluster.create({ wal_level: 'logical', wal_sender_timeout: '3s', ...primarySettings }, launches.primary),
    Cluster.create({ wal_retrieve_retry_interval: '200ms', wal_receiver_timeout: '3s' }, launches.region),
  ]);
  const network = await DatabaseProxy.before(primary.url);
  network.delayMs = distanceMs;
  return { primary, region, network };
}

/** A primary with its service and one region behind a network that can be cut, with real processes and servers. */
export class TwoRegions {
  /** Serves the primary. */
  home!: Program;
  /** Authenticates an account of the primary. */
  key = '';
  /** Runs the programs of the release that operators use. */
  runCommand: RunProgram = run;
  /** Serves the region. */
  service!: Program;
  metricsPort = 0;
  homeMetricsPort = 0;
  #closedNetwork: Promise<void> | undefined;
  /** The primary over the network. */
  readonly #primaryUrl: string;

  private constructor(
    public primary: Cluster,
    public region: Cluster,
    /** The network between the region and its primary. */
    readonly network: DatabaseProxy,
  ) {
    this.#primaryUrl = network.url;
  }

  /**
   * Starts the primary, its service, and an empty database for the region.
   * @param primarySettings of PostgreSQL
   * @param options start other versions of PostgreSQL than the embedded one, and set variables of the primary's service
   */
  static async start(
    primarySettings: Record<string, string> = {},
    options: Launches & { home?: Record<string, string> } = {},
  ): Promise<TwoRegions> {
    const { primary, region, network } = await startServers(primarySettings, options);
    const environment = { DATABASE_URL: primary.url, ...options.home };
    const metricsPort = await freePort();
    const both = new TwoRegions(primary, region, network);
    both.home = await Program.serving({ ...environment, METRICS_PORT: String(metricsPort) });
    both.homeMetricsPort = metricsPort;
    both.key = (await anAccountByShell(environment, 'enterprise')).api_key.key;
    return both;
  }

  /**
   * Starts a primary without a service, and an empty database for the region.
   * @param runCommand runs a program of the release that both shall have
   */
  static async withoutHome(runCommand: RunProgram): Promise<TwoRegions> {
    const { primary, region, network } = await startServers();
    await runCommand('migrate', { DATABASE_URL: primary.url });
    const both = new TwoRegions(primary, region, network);
    both.runCommand = runCommand;
    return both;
  }

  get environment(): Record<string, string> {
    return { ROLE: 'traffic', DATABASE_URL: this.region.url, PRIMARY_DATABASE_URL: this.#primaryUrl };
  }

  /** Runs a command with the settings of the region. */
  admin(...args: string[]): Promise<Record<string, unknown>> {
    return this.#regionCommand(this.environment, args);
  }

  /** Runs a command with the settings of the primary. */
  adminOfPrimary(...args: string[]): Promise<Record<string, unknown>> {
    return this.#regionCommand({ DATABASE_URL: this.primary.url }, args);
  }

  async #regionCommand(environment: Record<string, string>, args: string[]): Promise<Record<string, unknown>> {
    const output = await this.runCommand('admin', environment, 'region', ...args, '--json');
    return JSON.parse(output) as Record<string, unknown>;
  }

  /** Adds the region, whose PostgreSQL reaches the primary over the network, as the user of the processes. */
  async add(...more: string[]): Promise<Record<string, unknown>> {
    const url = `${await this.primaryForProcesses()}&gssencmode=disable`;
    return this.admin('add', '--name', 'eu', '--subscription-url', url, ...more);
  }

  /** Starts a process of the region whose metrics can be read. */
  async serve(more: Record<string, string> = {}): Promise<Program> {
    this.metricsPort = await freePort();
    this.service = await this.replica({ METRICS_PORT: String(this.metricsPort), ...more });
    return this.service;
  }

  async replica(more: Record<string, string> = {}): Promise<Program> {
    const PRIMARY_DATABASE_URL = await this.primaryForProcesses();
    return Program.serving({ ...this.environment, PRIMARY_DATABASE_URL, ...more });
  }

  /** Returns the URL of the primary over the network, for a user with the rights that docs/operating/regions.md lists. */
  async primaryForProcesses(): Promise<string> {
    const roles = await this.primary.query("SELECT FROM pg_roles WHERE rolname = 'signpost_eu'");
    if (roles.length === 0) await this.primary.query(documentedRights.role + documentedRights.grants);
    const primary = new URL(this.#primaryUrl);
    primary.username = 'signpost_eu';
    return primary.href;
  }

  /** Sends a request of the management API, and returns the data. */
  async api(method: string, path: string, body?: object): Promise<{ id: string } & Record<string, unknown>> {
    const { status, text, json } = await this.home.ask(`/api/v1${path}`, { method, key: this.key, body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json.data as { id: string };
  }

  /** Returns the replicated rows of a database, for comparison. */
  async contentOf(cluster: Cluster): Promise<Record<string, string>> {
    const content: Record<string, string> = {};
    for (const table of replicated) {
      const sql = `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' ORDER BY t::text)), '') AS rows FROM ${table} t`;
      content[table] = (await cluster.query<{ rows: string }>(sql))[0]!.rows;
    }
    return content;
  }

  /** Waits until the region has everything that the primary has, and fails if a row differs. */
  async untilEqual(timeoutMs = 120_000): Promise<void> {
    await until(async () => {
      const [primary, region] = [await this.contentOf(this.primary), await this.contentOf(this.region)];
      return JSON.stringify(primary) === JSON.stringify(region);
    }, timeoutMs);
  }

  /**
   * Waits until the primary reports this state of the region's slot. Replication that a busy machine interrupted restarts by itself,
   * so one look proves nothing.
   */
  async untilSlotIs(state: string): Promise<void> {
    await until(async () => {
      const { regions } = (await this.adminOfPrimary('status')) as { regions: { name: string; slot: string }[] };
      return regions.length === 1 && regions[0]!.name === 'eu' && regions[0]!.slot === state;
    });
  }

  /**
   * Waits until replication runs, for the same reason.
   * @param status prints the state of the region
   */
  async untilReplicating(status = () => this.admin('status')): Promise<void> {
    await until(async () => {
      const { region } = (await status()) as {
        region: { name: string; subscription: string; primary: string; slot: { slot: string } | null };
      };
      const { name, subscription, primary, slot } = region;
      return [name, subscription, primary, slot?.slot].join() === 'eu,running,up,active';
    });
  }

  async checks(): Promise<Record<string, string>> {
    const { status, json } = await this.service.ask('/health/ready');
    return { ...(json.data['checks'] as Record<string, string>), ready: String(status) };
  }

  async metric(name: string, port = this.metricsPort): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  }

  /** Makes the primary unreachable for good. */
  closeNetwork(): Promise<void> {
    return (this.#closedNetwork ??= this.network.close());
  }

  async remove(): Promise<void> {
    await this.closeNetwork();
    await Promise.all([this.primary.remove(), this.region.remove()]);
  }
}

/** Starts both sides before the tests of a file, and removes them after these. Programs that tests leave end before. */
export function twoRegionsFixture(...settings: Parameters<typeof TwoRegions.start>): TwoRegions {
  afterAll(endAllPrograms);
  return fixture(() => TwoRegions.start(...settings));
}
