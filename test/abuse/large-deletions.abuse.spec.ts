import { until } from '../support/eventually';
import { AttackedService, written } from '../support/victim';
import { fixture } from '../support/fixtures';

/** Far more than one statement can delete within its time limit. */
const shortLinks = 100_000;
const on = fixture(() => AttackedService.start());

test(`the deletion of a link with ${shortLinks} short links answers, and other accounts notice nothing`, async () => {
  let path: string;
  let key: string;
  let count: () => Promise<number>;
  const prepare = async () => {
    const attacker = await on.anAttacker();
    const link = await attacker.create('/links', { name: 'Large' });
    ({ key } = attacker);
    path = `/api/v1/projects/${attacker.project}/links/${link}`;
    await on.database.query(
      `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source)
       SELECT gen_random_uuid(), $1, $2, 'slug' || n, 'api' FROM generate_series(1, $3) n`,
      [attacker.project, link, shortLinks],
    );
    await on.database.query('VACUUM ANALYZE short_links');
    const remaining = 'SELECT FROM short_links WHERE project_id = $1 LIMIT 1';
    count = async () => (await on.database.query(remaining, [attacker.project])).length;
  };
  const deletion = async () => {
    const startedAt = performance.now();
    const { status, took } = await on.program.ask(path, { method: 'DELETE', key });
    if (status === 200) await until(async () => (await count()) === 0);
    return { status, took, purgedAfterMs: Math.round(performance.now() - startedAt) };
  };
  const isUnavailable = ({ status }: { status: number }) => status === 503;
  const loud = await on.victim.expectUnharmed(deletion, { minMs: 3000, prepare, isUnavailable });
  const { status, took, purgedAfterMs } = loud.attack;
  console.info(`answered ${status} after ${Math.round(took)} ms, purged after ${purgedAfterMs} ms; ${written(loud)}`);
  expect(status).toBe(200);
});
