import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { LastUseRecorder } from '../../../src/tenancy/api-keys/last-use-recorder';
import { eventually } from '../../support/eventually';
import { aService, type TestService } from '../../support/service';

let on: TestService;
let apiKeys: ApiKeysService;
beforeAll(async () => {
  on = await aService();
  apiKeys = on.service.app.get(ApiKeysService);
});
afterAll(() => on.stop());

const projects = (key: string) => on.api('get', '/projects', key);

const lastUseOf = async (id: string): Promise<Date | null> =>
  (await on.database.query<{ last_used_at: Date | null }>('SELECT last_used_at FROM api_keys WHERE id = $1', [id]))[0]!
    .last_used_at;

describe('a revocation', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['by the service', (id) => apiKeys.revoke(id)],
    ['by another process', (id) => on.database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id])],
    ['by deletion', (id) => on.database.query('DELETE FROM api_keys WHERE id = $1', [id])],
  ])('%s soon returns 401 permanently', async (_, revoke) => {
    const { key, apiKeyId } = await on.anAccount();
    await projects(key).expect(200);
    await revoke(apiKeyId);
    await eventually(async () => (await projects(key)).status === 401);
    await sleep(100);
    for (let sent = 0; sent < 5; sent++) expect(await projects(key)).toBeRefusedWith('UNAUTHORIZED');
  });
});

describe('the last use of a key', () => {
  const flush = () => on.service.app.get(LastUseRecorder, { strict: false }).flush();

  test('is null before the first request and then the minute of the latest one', async () => {
    const { key, apiKeyId } = await on.anAccount();
    expect(await lastUseOf(apiKeyId)).toBeNull();
    const minuteOf = (moment: number) => moment - (moment % 60_000);
    for (let use = 0; use < 2; use++) {
      const before = Date.now();
      await projects(key).expect(200);
      await flush();
      const last = (await lastUseOf(apiKeyId))!.getTime();
      expect(last % 60_000).toBe(0);
      expect(last).toBeGreaterThanOrEqual(minuteOf(before));
      expect(last).toBeLessThanOrEqual(minuteOf(Date.now()));
      await on.database.query("UPDATE api_keys SET last_used_at = last_used_at - interval '1 hour' WHERE id = $1", [
        apiKeyId,
      ]);
    }
  });

  test('does not delay requests while its table is locked', async () => {
    const { key } = await on.anAccount();
    await projects(key).expect(200);
    await on.database.query('BEGIN');
    await on.database.query('LOCK TABLE api_keys IN EXCLUSIVE MODE');
    try {
      const writing = flush();
      // It is answered before the lock is released.
      await projects(key).expect(200);
      await on.database.query('COMMIT');
      await writing;
    } finally {
      await on.database.query('ROLLBACK');
    }
  });
});
