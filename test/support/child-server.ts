import type { ChildProcess } from 'node:child_process';
import { until } from './eventually';

/** A server in a separate process, which tests freeze and kill. */
export abstract class ChildServer {
  protected process: ChildProcess | undefined;

  /** Stops the process (SIGSTOP). The kernel still accepts connections. */
  freeze(): void {
    this.process!.kill('SIGSTOP');
  }

  thaw(): void {
    this.process!.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const child = this.process!;
    child.kill('SIGKILL');
    await until(() => child.exitCode !== null || child.signalCode !== null);
  }
}
