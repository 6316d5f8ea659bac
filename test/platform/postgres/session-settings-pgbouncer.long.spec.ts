/** @needs pgbouncer */
import { poolOptions } from '../../../src/platform/postgres/connection';
import { UnnamedStatementsClient } from '../../../src/platform/postgres/resilient-client';
import { DatabaseProxy } from '../../support/database-proxy';
import { createDatabase } from '../../support/database';
import { PgBouncer } from '../../support/pgbouncer';

test.each(['session', 'transaction'] as const)(
  'settings that change results pass PgBouncer in %s mode',
  async (mode) => {
    const database = await createDatabase({ empty: true });
    const name = new URL(database.url).pathname.slice(1);
    const settings = { DateStyle: 'German, DMY', TimeZone: 'Pacific/Chatham', standard_conforming_strings: 'off' };
    for (const [setting, value] of Object.entries(settings))
      await database.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
    // PgBouncer runs as another user, who may not enter the directory of the socket.
    const proxy = await DatabaseProxy.before(database.url);
    const bouncer = await PgBouncer.before(proxy.url, mode);
    const client = new UnnamedStatementsClient(poolOptions(bouncer.url, { max: 1, name: 'spec' }));
    try {
      await client.connect();
      const { rows } = await client.query(
        `SELECT '2026-12-31T00:00Z'::timestamptz AS at, '2026-12-31T00:00Z'::timestamptz::text AS text, '\\x' AS string`,
      );
      expect(rows).toEqual([{ at: new Date('2026-12-31T00:00Z'), text: '2026-12-31 00:00:00+00', string: '\\x' }]);
    } finally {
      await client.end();
      await bouncer.remove();
      await proxy.close();
      await database.drop();
    }
  },
);
