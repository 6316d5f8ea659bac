import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Container } from './container';

/** A limit below the timeout of `beforeAll` in the test. Measured: longer than 14 minutes on a machine with other work. */
const maxBuildMs = 1_700_000;

interface Configuration {
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  User: string;
  WorkingDir: string;
  ExposedPorts: Record<string, object>;
  Labels: Record<string, string>;
  StopSignal: string;
  Healthcheck: { Test: [kind: string, ...command: string[]] };
}

/** An image built from the Dockerfile and unpacked, so that its programs can run. */
export class ContainerImage {
  private constructor(
    private readonly folder: string,
    readonly config: Configuration,
    readonly history: string,
    /** Tar files, starting with the base image. */
    readonly layers: string[],
  ) {}

  static async build(): Promise<ContainerImage> {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'signpost-image-test-'));
    try {
      const image = join(folder, 'image');
      await execute(join(__dirname, 'build.sh'), [image]);
      const digestOf = ({ digest }: { digest: string }): string => join(image, digest.replace('sha256:', ''));
      const manifest = JSON.parse(readFileSync(join(image, 'manifest.json'), 'utf8')) as {
        config: { digest: string };
        layers: { digest: string }[];
      };
      const { config, history } = JSON.parse(readFileSync(digestOf(manifest.config), 'utf8')) as {
        config: Configuration;
        history: object[];
      };
      const built = new ContainerImage(folder, config, JSON.stringify(history), manifest.layers.map(digestOf));
      mkdirSync(built.root, { mode: 0o755 });
      for (const layer of built.layers) await execute('tar', ['-xpf', layer, '-C', built.root, '--numeric-owner']);
      return built;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get root(): string {
    return join(this.folder, 'root');
  }

  /** The layer that the Dockerfile adds to its base. Modes are as `-rw-r--r--`. */
  get ownLayer() {
    const file = this.layers.at(-1)!;
    const { stdout } = spawnSync('tar', ['-tvf', file, '--numeric-owner', '--full-time'], {
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => {
        const [, mode, owner, size, path] = /^(\S+) +(\S+) +(\d+) \S+ \S+ (.*)$/.exec(line)!;
        return { mode: mode!, owner: owner!, size: Number(size), path: path!.replace(/ (->|link to) .*$/, '') };
      });
    return { bytes: statSync(file).size, entries };
  }

  /** Starts a container with a command, by default the command of the image. */
  run(environment: Record<string, string>, command: string[] = this.config.Cmd, user = this.uid): Container {
    const image = Object.fromEntries(this.config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2))) as object;
    return new Container([this.root, String(user), this.config.WorkingDir, ...this.config.Entrypoint, ...command], {
      ...image,
      ...environment,
    });
  }

  get uid(): number {
    return Number(this.config.User.split(':')[0]);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}

/**
 * Runs a program without blocking this one.
 * @throws Error with all that it printed, if it fails or takes too long
 */
function execute(program: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: maxBuildMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}: ${output}`)),
    );
  });
}
