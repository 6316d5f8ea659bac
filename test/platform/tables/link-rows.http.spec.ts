import { AdaptivePool } from '../../../src/platform/postgres/adaptive-pool';
import { aDynamicLink, aProject } from '../../support/builders';
import { serviceFixture } from '../../support/fixtures';

const on = serviceFixture();

test.each(['free', 'enterprise'] as const)('a conflict keeps its connection, with the %s plan', async (plan) => {
  const { key } = await on.anAccount(plan);
  const project = await aProject(on, key);
  const links = `/projects/${project.id}/links`;
  const link = await aDynamicLink(on, key, project.id, { custom_path: 'taken' });
  let removed = 0;
  const count = () => void removed++;
  const pool = on.service.app.get(AdaptivePool).on('remove', count);
  try {
    const other = await aDynamicLink(on, key, project.id);
    for (let attempt = 0; attempt < 3; attempt++) {
      await on.api('post', links, key).send({ name: 'N', custom_path: 'taken' }).expect(409);
      await on.api('put', `${links}/${other.id}`, key).send({ custom_path: 'taken' }).expect(409);
    }
    await on.api('get', `${links}/${link.id}`, key).expect(200);
    expect(removed).toBe(0);
  } finally {
    pool.off('remove', count);
  }
});

test('of equal updates at the same time, each answers with the new values', async () => {
  const { key } = await on.anAccount('enterprise');
  const project = await aProject(on, key);
  const link = await aDynamicLink(on, key, project.id, { name: 'Before' });
  for (let round = 0; round < 5; round++) {
    const name = `After ${round}`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => on.api('put', `/projects/${project.id}/links/${link.id}`, key).send({ name })),
    );
    expect(answers.map(({ body }) => (body as { data: { name: string } }).data.name)).toEqual(Array(6).fill(name));
  }
});
