/** @needs redis-server */
import { eventually } from '../../support/eventually';
import { steadyMsOf } from '../../support/steady-clock';
import { sendRequest } from '../../support/raw-http';
import { RedisServer } from '../../support/redis';
import { immediateMs } from '../../support/immediate';
import { fixture, serviceFixture } from '../../support/fixtures';

const redis = fixture(() => RedisServer.start());
const on = serviceFixture(() => ({ REDIS_URL: redis.url }));

const ready = (redisState: string) => ({
  status: 200,
  body: {
    data: {
      status: 'ready',
      checks: { database: 'up', migrations: 'done', change_listener: 'up', redis: redisState, clickhouse: 'unused' },
    },
  },
});

test.each<[string, () => unknown, () => unknown]>([
  ['is down', () => redis.kill(), () => redis.start()],
  ['is frozen', () => redis.freeze(), () => redis.thaw()],
])('a service stays ready while Redis %s', async (_, disable, restore) => {
  await eventually(async () => (await sendRequest(on.url, 'GET /health/ready')).text.includes('"redis":"up"'));
  await disable();
  try {
    const answered = async () => expect(await sendRequest(on.url, 'GET /health/ready')).toMatchObject(ready('down'));
    expect(await steadyMsOf(answered, () => on.database.query('SELECT'))).toBeLessThan(immediateMs);
  } finally {
    await restore();
  }
});
