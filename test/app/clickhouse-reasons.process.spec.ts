import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDatabase, type TestDatabase } from '../support/database';
import { freePort } from '../support/free-port';
import { endAllPrograms, Program } from '../support/process';

// Programs name the reason for which ClickHouse refuses them, and never its password.

const password = 'a-long-password';

let database: TestDatabase;
let server: Server;
/** The code and text of ClickHouse's answer to everything. */
let refusal: [code: number, text: string];
beforeAll(async () => {
  database = await createDatabase();
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(refusal[0]) });
    response.end(`Code: ${refusal[0]}. DB::Exception: ${refusal[1]}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  await endAllPrograms();
  server.closeAllConnections();
  server.close();
  await database.drop();
});

const programs: Record<string, ['admin' | 'migrate', string[]]> = {
  migrate: ['migrate', []],
  'admin clicks copy': ['admin', ['clicks', 'copy']],
};

async function errorsOf(name: string, port: number): Promise<string> {
  const [script, args] = programs[name]!;
  const CLICKHOUSE_URL = `http://signpost:${password}@127.0.0.1:${port}/signpost`;
  const program = new Program(script, { DATABASE_URL: database.url, CLICKHOUSE_URL }, { args });
  expect((await program.exit).code).toBe(1);
  return program.stderr;
}

describe.each(Object.keys(programs))('%s', (name) => {
  test.each<[number, string]>([
    [516, 'signpost: Authentication failed: password is incorrect, or there is no user with such name.'],
    [497, 'signpost: Not enough privileges. To execute this query, it is necessary to have the grant CREATE TABLE.'],
    [81, 'Database signpost does not exist.'],
  ])('prints the reason of a refusal with code %i', async (code, text) => {
    refusal = [code, `${text} (NAME)`];
    const errors = await errorsOf(name, (server.address() as AddressInfo).port);
    expect(errors).toMatch(/^ClickHouse: [^\n]+\n$/);
    expect(errors).toContain(text.slice(0, 40));
    expect(errors).not.toContain(password);
  });

  test('prints why ClickHouse is not reached', async () => {
    const port = await freePort();
    expect(await errorsOf(name, port)).toBe(`ClickHouse: connect ECONNREFUSED 127.0.0.1:${port}\n`);
  });
});
