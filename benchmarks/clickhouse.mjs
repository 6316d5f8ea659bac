/* global fetch */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from './programs.mjs';

const engine = join(checkout, 'test/clickhouse/engine');

/** Whether `npm ci --prefix test/clickhouse/engine` has been run. */
export const isInstalled = existsSync(join(engine, 'node_modules/chdb/package.json'));

/** Starts a temporary ClickHouse with an empty database. */
export async function startClickHouse() {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-clickhouse-'));
  const port = await freePort();
  const child = spawn(process.execPath, [join(engine, 'server.mjs'), folder, String(port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const send = async (database, sql) => {
    const answer = await fetch(`http://127.0.0.1:${port}/?database=${database}`, { method: 'POST', body: sql });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.text();
  };
  await send('default', 'CREATE DATABASE bench');
  return {
    url: `http://127.0.0.1:${port}/bench`,
    rows: async (sql) => (await send('bench', `${sql} FORMAT JSONEachRow`)).split('\n').filter(Boolean).map(JSON.parse),
    run: (sql) => send('bench', sql),
    stop: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Copies all clicks of PostgreSQL, and describes the time and the disk that they take. */
export async function copyToClickHouse(databaseUrl, clickHouse) {
  const startedAt = performance.now();
  const output = execFileSync(process.execPath, [join(checkout, 'dist/admin.js'), 'clicks', 'copy', '--json'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickHouse.url },
    encoding: 'utf8',
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const { copied } = JSON.parse(output).clicks;
  return `copied ${copied} clicks in ${seconds.toFixed(0)} s, ${Math.round(copied / seconds)} per second; ${await sizesOf(clickHouse, copied)}`;
}

/** Describes the rows and the disk of each table. */
export async function sizesOf(clickHouse, clicks) {
  const tables = ['clicks', 'link_clicks_by_quarter', 'project_clicks_by_quarter'];
  const parts = await clickHouse.rows(
    `SELECT table, toFloat64(sum(rows)) AS rows, toFloat64(sum(bytes_on_disk)) AS bytes, toUInt32(count()) AS parts FROM system.parts
     WHERE active AND database = 'bench' AND table IN ('${tables.join("', '")}') GROUP BY table ORDER BY table`,
  );
  return parts
    .map(
      ({ table, rows, bytes, parts }) =>
        `${table} ${rows} rows in ${parts} parts, ${(bytes / clicks).toFixed(1)} bytes per click`,
    )
    .join('; ');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
