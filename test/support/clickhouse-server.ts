import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/shared/id';
import { ChildServer } from './child-server';
import { dataFolder } from './data-folder';
import { until } from './eventually';
import { freePort } from './free-port';

const script = join(__dirname, '../clickhouse/engine/server.mjs');

export interface ClickHouseDatabase {
  /** The value of CLICKHOUSE_URL. */
  url: string;
  rows<Row>(sql: string): Promise<Row[]>;
}

/** ClickHouse in a separate process on loopback. Its package is in `test/clickhouse/engine`. */
export class ClickHouseServer extends ChildServer {
  private constructor(
    readonly port: number,
    private readonly folder: string,
  ) {
    super();
  }

  static async start(): Promise<ClickHouseServer> {
    const server = new ClickHouseServer(await freePort(), mkdtempSync(join(dataFolder(), 'signpost-clickhouse-')));
    await server.start();
    return server;
  }

  /** Starts it again with the same port and data. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [script, this.folder, String(this.port)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.process = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
    const listens = new Promise((resolve) =>
      child.stdout.on('data', () => output.includes('listening') && resolve('')),
    );
    const ends = once(child, 'exit').then(() => {
      throw new Error(`ClickHouse ended at its start: ${output}`);
    });
    await Promise.race([listens, ends]);
    ends.catch(() => {});
  }

  async createDatabase(): Promise<ClickHouseDatabase> {
    const name = `test_${newId().replaceAll('-', '')}`;
    await this.#run('default', `CREATE DATABASE ${name}`);
    return {
      url: `http://127.0.0.1:${this.port}/${name}`,
      rows: async <Row>(sql: string) => {
        const text = await this.#run(name, `${sql} FORMAT JSONEachRow`);
        return text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Row);
      },
    };
  }

  async #run(database: string, sql: string): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.port}/?database=${database}`, { method: 'POST', body: sql });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  }

  /** Waits until ClickHouse has read all that clients sent before they ended. Later statements see the inserts of these clients. */
  async closedConnectionsRead(): Promise<void> {
    await until(() => !hasClosingConnection(this.port));
  }

  /** Ends the process and deletes its data. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The states FIN_WAIT1, FIN_WAIT2, CLOSE_WAIT, LAST_ACK and CLOSING of `/proc/net/tcp`. */
const closingStates = new Set(['04', '05', '08', '09', '0B']);

/** Returns whether a connection on the port is closed by one of its sides only. */
function hasClosingConnection(port: number): boolean {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => closingStates.has(state ?? ''))
    .some(([, local, remote]) => [local, remote].some((address) => address?.endsWith(end)));
}
