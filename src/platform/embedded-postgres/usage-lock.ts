import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asUser, type ServerUser } from './server-user';

const run = promisify(execFile);

const { O_RDONLY, O_WRONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

export const lockPath = (socketDirectory: string): string => join(socketDirectory, 'in-use');

/** Creates the FIFO of the usage locks in the directory of the server's socket. */
export async function makeLockFile(socketDirectory: string, user: ServerUser): Promise<void> {
  const path = lockPath(socketDirectory);
  const exists = async (): Promise<boolean> => (await lstat(path).catch(() => null))?.isFIFO() ?? false;
  if (await exists()) return;
  try {
    await run('mkfifo', ['-m', '600', path], asUser(user));
  } catch (error) {
    if (!(await exists())) throw error; // another process was faster
  }
}

/**
 * A lock that keeps a server running: an open end of a FIFO whose other end the server's watcher reads. The server stops when the
 * last lock is released, also by SIGKILL of its process. Any process can hold the last lock, not only the one that started the
 * server.
 */
export class UsageLock {
  private constructor(
    private readonly path: string,
    private fd: number | null,
  ) {}

  /** @returns null if no watcher reads, because the server does not run or is stopping */
  static acquire(socketDirectory: string): UsageLock | null {
    const path = lockPath(socketDirectory);
    try {
      return new UsageLock(path, openSync(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW));
    } catch (error) {
      if (['ENXIO', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
      throw error;
    }
  }

  /** Acquires the lock of a server before its launch. The caller calls `watcherReads` once the watcher reads. */
  static acquireFirst(socketDirectory: string): { lock: UsageLock; watcherReads: () => void } {
    const reader = openSync(lockPath(socketDirectory), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    return { lock: UsageLock.acquire(socketDirectory)!, watcherReads: () => closeSync(reader) };
  }

  /** @returns whether it was the last lock, so that the server stops */
  release(): boolean {
    if (this.fd === null) return false;
    closeSync(this.fd);
    this.fd = null;
    let reader: number | undefined;
    try {
      reader = openSync(this.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      return readSync(reader, Buffer.alloc(1)) === 0; // end of file: no process holds a lock
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'EAGAIN'; // another process holds a lock
    } finally {
      if (reader !== undefined) closeSync(reader);
    }
  }
}
