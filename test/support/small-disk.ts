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

const megabytes = 48;

/**
 * A file system of a few megabytes, to be filled to its last byte. Where this user may mount nothing, it is mounted in a user
 * namespace of its own, into which `/proc` leads. Where that is not allowed either (containers), the small `/dev/shm` that
 * containers have will do.
 */
export class SmallDisk {
  private constructor(
    readonly directory: string,
    private readonly give: () => void,
  ) {}

  /** @throws Error where there is no way to have one: the test cannot be done there, and must not pass. */
  static async mount(): Promise<SmallDisk> {
    const refusals: string[] = [];
    for (const way of [mounted, mountedInNamespace, sharedMemory]) {
      try {
        return new SmallDisk(...(await way()));
      } catch (error) {
        refusals.push(`${way.name}: ${(error as Error).message.trim()}`);
      }
    }
    throw new Error(
      `no small disk to be had; run the tests as root, or where user namespaces are allowed.\n${refusals.join('\n')}`,
    );
  }

  /** Bytes that can still be written. */
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

  /** A directory on it that belongs to that user. */
  directoryFor(name: string, owner: { uid: number; gid: number }): string {
    const directory = join(this.directory, name);
    mkdirSync(directory, { mode: 0o700 });
    if (process.getuid!() === 0) chownSync(directory, owner.uid, owner.gid);
    return directory;
  }

  remove(): void {
    this.give();
  }
}

type Found = [directory: string, give: () => void];

function mounted(): Found {
  const directory = temporaryDirectory();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', directory], { stdio: 'pipe' });
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

async function mountedInNamespace(): Promise<Found> {
  const directory = temporaryDirectory();
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=0711 tmpfs "$1" && echo mounted && exec cat`;
  const holder = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', directory], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const give = (): void => {
    holder.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  };
  const said = await Promise.race([once(holder.stdout, 'data'), once(holder, 'error'), once(holder, 'exit')]);
  if (!String(said[0]).startsWith('mounted')) {
    give();
    throw new Error(`unshare: ${String(said[0])}`);
  }
  return [`/proc/${holder.pid}/root${directory}`, give];
}

function sharedMemory(): Found {
  const { blocks, bsize } = statfsSync('/dev/shm');
  if (blocks * bsize > 4 * megabytes * 1024 ** 2) throw new Error('/dev/shm is too large to be filled');
  const directory = join('/dev/shm', `signpost-faults-${process.pid}`);
  if (existsSync(directory)) throw new Error(`${directory} is there already`);
  mkdirSync(directory);
  chmodSync(directory, 0o711);
  return [directory, () => rmSync(directory, { recursive: true })];
}
