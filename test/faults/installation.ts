import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../support/ask';
import { Cluster } from '../support/cluster';
import { anAccountByShell, endAllPrograms, Program, type ShellAccount } from '../support/process';
import { createWhenAvailable } from '../support/repeated-rounds';

type Options = Parameters<Program['ask']>[1];

interface Settings {
  /** Of PostgreSQL. */
  postgres?: Record<string, string>;
  /** Prepares the server before a service uses it. */
  prepare?: (cluster: Cluster) => Promise<unknown>;
  /** Of the service, besides its database. */
  environment?: () => Record<string, string>;
  plan?: string;
  /** Fields of the project. */
  project?: object;
}

/** A server, a service and a project, which a file uses and may damage. */
export class Installation {
  cluster!: Cluster;
  environment!: Record<string, string>;
  service!: Program;
  account!: ShellAccount;
  /** The paths of the project and of its links in the API. */
  project!: string;
  links!: string;

  get key(): string {
    return this.account.api_key.key;
  }

  async start({ postgres, prepare, environment, plan = 'enterprise', project }: Settings, subdomain: string) {
    this.cluster = await Cluster.create(postgres);
    await prepare?.(this.cluster);
    this.environment = { DATABASE_URL: this.cluster.url, ...environment?.() };
    this.service = await this.replica();
    this.account = await anAccountByShell(this.environment, plan);
    this.project = `/api/v1/projects/${await this.create('/api/v1/projects', { name: 'Demo', subdomain, ...project })}`;
    this.links = `${this.project}/links`;
  }

  async remove(): Promise<void> {
    await endAllPrograms();
    await this.cluster?.remove();
  }

  replica(more: Record<string, string> = {}): Promise<Program> {
    return Program.serving({ ...this.environment, ...more });
  }

  /** Creates something, and returns its id. */
  async create(path: string, body: object): Promise<string> {
    return (await createWhenAvailable(this.service, path, this.key, body)).id;
  }

  /** Creates a link that is called like its path. */
  createLink(path: string, fields: object = {}): Promise<string> {
    const body = { name: path, custom_path: path, desktop_url: 'https://example.com/', ...fields };
    return this.create(this.links, body);
  }

  createAndroidApp(): Promise<string> {
    const fingerprint = Array(32).fill('AB').join(':');
    const body = { name: 'Shop', package_name: 'com.example.shop', sha_fingerprints: [fingerprint] };
    return this.create(`${this.project}/android-apps`, body);
  }

  /** Sends a request until a service answers it. */
  async ask(path: string, options?: Options, isRefused = (_: Answer): boolean => false): Promise<Answer> {
    for (;;) {
      const answer = await this.service.ask(path, options);
      if (answer.status !== 0 && (answer.status !== 503 || isRefused(answer))) return answer;
      await delay(20);
    }
  }

  /**
   * Kills the service at equal parts of the work, and starts another one each time.
   * @param done the part of the work that is done, up to 1
   */
  async killDuring(working: Promise<unknown>, times: number, done: () => number, whileDown = () => {}): Promise<void> {
    for (let killed = 1; killed <= times; killed++) {
      // A client that fails ends the test.
      while (done() < killed / (times + 1)) await Promise.race([delay(5), working]);
      await this.service.kill();
      whileDown();
      this.service = await this.replica();
    }
    await working;
  }
}

/** Starts an installation for the tests of a file. Call `useProductionTimeLimitsInPrograms` before. */
export function useInstallation(subdomain: string, settings: Settings = {}): Installation {
  const on = new Installation();
  beforeAll(() => on.start(settings, subdomain));
  afterAll(() => on.remove());
  return on;
}

/** Works on the items, from the last to the first, by so many clients. */
export const inTurns = <T>(clients: number, items: T[], work: (item: T) => Promise<unknown>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: clients }, async () => {
      for (let item = items.pop(); item !== undefined; item = items.pop()) await work(item);
    }),
  );

/** Expects one path for each link, and the number of links that the project is said to have. Returns it. */
export async function expectSoundCounts(cluster: Cluster): Promise<number> {
  const [counts] = await cluster.query<{ kept: number; real: number; paths: number }>(
    `SELECT (SELECT sum(dynamic_links)::int FROM project_counts) AS kept, (SELECT count(*)::int FROM dynamic_links) AS real,
            (SELECT count(*)::int FROM link_paths) AS paths`,
  );
  expect([counts!.kept, counts!.paths]).toEqual([counts!.real, counts!.real]);
  return counts!.real;
}
