import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { until } from './eventually';
import { freePort } from './free-port';

/** A separate Redis server on loopback. A missing `redis-server` fails the test: `apt-get install redis-server`. */
export class RedisServer {
  #process: ChildProcess | undefined;

  private constructor(readonly port: number) {}

  static async start(): Promise<RedisServer> {
    const redis = new RedisServer(await freePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const child = spawn(
      'redis-server',
      ['--bind', '127.0.0.1', '--port', String(this.port), '--save', '', '--appendonly', 'no'],
      { stdio: 'ignore' },
    );
    let failure: Error | undefined;
    child.on('error', (error) => (failure = new Error(`${error.message}: apt-get install redis-server`)));
    this.#process = child;
    await until(async () => {
      if (failure) throw failure;
      return (await this.command('PING')).startsWith('+PONG');
    });
  }

  /** Sends a command in the inline protocol of Redis and returns the reply. */
  command(line: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(`${line}\r\n`));
      socket.once('data', (answer) => {
        socket.destroy();
        resolve(answer.toString());
      });
      socket.once('error', (error) => resolve(error.message));
    });
  }

  freeze(): void {
    this.#process!.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process!.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const child = this.#process!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await until(() => child.signalCode !== null);
  }
}
