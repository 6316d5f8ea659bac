import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asUser, type ServerUser } from './server-user';

const run = promisify(execFile);

const { O_RDONLY, O_WRONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

export const lockPath = (socketDirectory: string): string => join(socketDirectory, 'in-use');

/** The FIFO that leases are taken on, in the directory of the server's socket. */
export async function makeLockFile(socketDirectory: string, user: ServerUser): Promise<void> {
  const path = lockPath(socketDirectory);
  const exists = async (): Promise<boolean> => (await lstat(path).catch(() => null))?.isFIFO() ?? false;
  if (await exists()) return;
  try {
    await run('mkfifo', ['-m', '600', path], asUser(user));
  } catch (error) {
    if (!(await exists())) throw error; // another process was quicker
  }
}

/**
 * A process's claim on a server: an open end of a FIFO whose other end the server's watcher reads. The server is stopped when the
 * last lease is given back, be it that its process was killed with -9. So it matters to nobody which of several processes
 * started it: an administrator's command may end while a service that joined goes on.
 */
export class UsageLock {
  private constructor(
    private readonly path: string,
    private fd: number | null,
  ) {}

  /** @returns null when nobody watches: there is no server, or it is being stopped. */
  static acquire(socketDirectory: string): UsageLock | null {
    const path = lockPath(socketDirectory);
    try {
      return new UsageLock(path, openSync(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW));
    } catch (error) {
      if (['ENXIO', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
      throw error;
    }
  }

  /** One for a server that is yet to be launched; `watched` is to be called when its watcher reads. */
  static acquireFirst(socketDirectory: string): { lock: UsageLock; watched: () => void } {
    const reader = openSync(lockPath(socketDirectory), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    return { lock: UsageLock.acquire(socketDirectory)!, watched: () => closeSync(reader) };
  }

  /** @returns whether it was the last one, so that the server is being stopped now. */
  release(): boolean {
    if (this.fd === null) return false;
    closeSync(this.fd);
    this.fd = null;
    let reader: number | undefined;
    try {
      reader = openSync(this.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      return readSync(reader, Buffer.alloc(1)) === 0; // the end of the file: nobody could write
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'EAGAIN'; // somebody could
    } finally {
      if (reader !== undefined) closeSync(reader);
    }
  }
}
