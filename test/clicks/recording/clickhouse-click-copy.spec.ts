import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClickHouseClickCopy } from '../../../src/clicks/recording/clickhouse-click-copy';
import type { PgClickCopies } from '../../../src/clicks/recording/pg-click-copies';
import { HttpClickHouse } from '../../../src/platform/clickhouse/http-clickhouse';
import { timeLimits } from '../../../src/platform/postgres/time-limits';
import { newId } from '../../../src/shared/id';

const limits = { ...timeLimits };
afterEach(() => Object.assign(timeLimits, limits));

test('a verification waits longer for ClickHouse than a request does', async () => {
  Object.assign(timeLimits, { query: 50, statement: 50 });
  const project = newId();
  let settings = new URLSearchParams();
  const server = createServer((request, response) => {
    settings = new URL(request.url!, 'http://localhost').searchParams;
    request.resume();
    setTimeout(() => response.end(`{"project":"${project}","day":"2026-10-01","number":3}\n`), 500);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clickHouse = new HttpClickHouse(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), null);
  const source = {
    months: async () => ['2026-10-01'],
    countByDay: async () => new Map([[`${project} 2026-10-01`, 4]]),
    deletedOf: async () => new Set<string>(),
  } as unknown as PgClickCopies;
  expect(await new ClickHouseClickCopy(clickHouse, source, 13).differences('2026-10-02')).toEqual([
    { projectId: project, day: '2026-10-01', postgresql: 4, clickhouse: 3 },
  ]);
  expect(settings.get('max_execution_time')).toBe('600');
  // Clients and load balancers end connections that are silent for long.
  expect(settings.get('send_progress_in_http_headers')).toBe('1');
  await clickHouse.close();
  server.close();
});
