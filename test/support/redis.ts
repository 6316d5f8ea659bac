import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { ChildServer } from './child-server';
import { until } from './eventually';
import { freePort } from './free-port';

/** A separate Redis server on loopback. A missing `redis-server` fails the test: `apt-get install redis-server`. */
export class RedisServer extends ChildServer {
  private constructor(readonly port: number) {
    super();
  }

  static async start(): Promise<RedisServer> {
    const redis = new RedisServer(await freePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ['--bind', '127.0.0.1', '--port', String(this.port), '--save', '', '--appendonly', 'no'];
    const child = spawn('redis-server', options, { stdio: 'ignore' });
    let failure: Error | undefined;
    child.on('error', (error) => (failure = new Error(`${error.message}: apt-get install redis-server`)));
    this.process = child;
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
}
