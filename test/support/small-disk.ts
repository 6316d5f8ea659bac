import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './cluster';

const sizeMb = 48;

/**
 * A file system of a few megabytes that a test fills completely. A user without the right to mount gets it in a user
 * namespace, through `/proc`. Containers that refuse both use their small `/dev/shm`.
 */
export class SmallDisk {
  private constructor(
    readonly directory: string,
    private readonly release: () => void,
  ) {}

  /**
   * Creates the file system.
   * @throws Error if no way works, because the test must not pass then
   */
  static async mount(): Promise<SmallDisk> {
    const failures: string[] = [];
    for (const create of [mounted, mountedInNamespace, sharedMemory]) {
      try {
        return new SmallDisk(...(await create()));
      } catch (error) {
        failures.push(`${create.name}: ${(error as Error).message.trim()}`);
      }
    }
    throw new Error(
      `The small file system cannot be created. Run the tests as root, or where user namespaces are allowed.\n${failures.join('\n')}`,
    );
  }

  /** The free space in bytes. */
  get free(): number {
    const { bavail, bsize } = statfsSync(this.directory);
    return bavail * bsize;
  }

  fill(): void {
    const file = openSync(join(this.directory, 'ballast'), 'a');
    const block = Buffer.alloc(4096);
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(join(this.directory, 'ballast'));
  }

  /** Creates a directory on the file system that belongs to the user. */
  directoryFor(name: string, owner: { uid: number; gid: number }): string {
    const directory = join(this.directory, name);
    mkdirSync(directory, { mode: 0o700 });
    if (process.getuid!() === 0) chownSync(directory, owner.uid, owner.gid);
    return directory;
  }

  remove(): void {
    this.release();
  }
}

type Mount = [directory: string, release: () => void];

function mounted(): Mount {
  const directory = temporaryDirectory();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0711`, 'tmpfs', directory], { stdio: 'pipe' });
  } catch (error) {
    rmSync(directory, { recursive: true });
    throw error;
  }
  return [
    directory,
    () => {
      execFileSync('umount', ['--lazy', directory]);
      rmSync(directory, { recursive: true });
    },
  ];
}

async function mountedInNamespace(): Promise<Mount> {
  const directory = temporaryDirectory();
  const script = `mount -t tmpfs -o size=${sizeMb}m,mode=0711 tmpfs "$1" && echo mounted && exec cat`;
  const holder = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', directory], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const release = (): void => {
    holder.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  };
  const result = await Promise.race([once(holder.stdout, 'data'), once(holder, 'error'), once(holder, 'exit')]);
  if (!String(result[0]).startsWith('mounted')) {
    release();
    throw new Error(`unshare: ${String(result[0])}`);
  }
  return [`/proc/${holder.pid}/root${directory}`, release];
}

function sharedMemory(): Mount {
  const { blocks, bsize } = statfsSync('/dev/shm');
  if (blocks * bsize > 4 * sizeMb * 1024 ** 2) throw new Error('/dev/shm is too large to fill.');
  const directory = join('/dev/shm', `signpost-faults-${process.pid}`);
  if (existsSync(directory)) throw new Error(`${directory} exists already.`);
  mkdirSync(directory);
  chmodSync(directory, 0o711);
  return [directory, () => rmSync(directory, { recursive: true })];
}
