import { aDynamicLink, aProject } from '../../support/builders';
import { rowsOf, untilPurged } from '../../support/content';
import { accountFixture, serviceFixture } from '../../support/fixtures';
import { rounds } from '../../support/scale';

const on = serviceFixture({ QUOTA_PRO_PROJECTS: 'unlimited' });
const owner = accountFixture(on, 'pro');

const concurrently = <T>(count: number, work: (at: number) => PromiseLike<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

test('concurrent updates of the path of a link leave exactly one path, the one that GET returns', async () => {
  const { id } = await aProject(on, owner.key);
  const link = await aDynamicLink(on, owner.key, id);
  const path = `/projects/${id}/links/${link.id}`;
  for (let round = 0; round < 5; round++) {
    const responses = await concurrently(10, (at) =>
      on.api('put', path, owner.key).send({ custom_path: `r${round}-${at}` }),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const read = await on.api('get', path, owner.key).expect(200);
    expect(await on.database.query('SELECT path, dynamic_link_id FROM link_paths WHERE project_id = $1', [id])).toEqual(
      [{ path: read.body.data.custom_path, dynamic_link_id: link.id }],
    );
  }
});

test('concurrent updates of different fields are all kept', async () => {
  const { id } = await aProject(on, owner.key);
  const link = await aDynamicLink(on, owner.key, id);
  const path = `/projects/${id}/links/${link.id}`;
  const changes = {
    name: 'New',
    custom_path: 'new',
    desktop_url: 'https://new.example/',
    ios_fallback_url: null,
    social_title: 'New',
    social_description: 'New',
    referrer_params: { n: 'ew' },
    ios_deferred_deep_link: true,
  };
  const responses = await Promise.all(
    Object.entries(changes).map(([field, value]) => on.api('put', path, owner.key).send({ [field]: value })),
  );
  expect(responses.map(({ status }) => status)).toEqual(Object.keys(changes).map(() => 200));
  expect((await on.api('get', path, owner.key).expect(200)).body.data).toMatchObject(changes);
});

test('links that swap paths concurrently get CUSTOM_PATH_EXISTS without a deadlock', async () => {
  const { id } = await aProject(on, owner.key);
  const pairs = await concurrently(5, async (at) => {
    const paths = [`one-${at}`, `other-${at}`] as const;
    const [one, other] = await concurrently(2, (which) =>
      aDynamicLink(on, owner.key, id, { custom_path: paths[which] }),
    );
    return { moves: [[one!.id, paths[1]] as const, [other!.id, paths[0]] as const] };
  });
  const moves = pairs.flatMap((pair) => pair.moves);
  for (let round = 0; round < 10; round++) {
    const responses = await Promise.all(
      moves.map(([link, custom_path]) =>
        on.api('put', `/projects/${id}/links/${link}`, owner.key).send({ custom_path }),
      ),
    );
    for (const response of responses) expect(response).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  }
});

test.each(rounds(20))(
  'writes of links during the deletion of their project succeed or return 404, and leave no rows (round %d)',
  async () => {
    const { id } = await aProject(on, owner.key);
    const links = `/projects/${id}/links`;
    const made = await concurrently(8, () => aDynamicLink(on, owner.key, id));
    const [deletion, ...others] = await Promise.all([
      on.api('delete', `/projects/${id}`, owner.key),
      ...Array.from({ length: 12 }, () => on.api('post', links, owner.key).send({ name: 'x' })),
      ...made.map((link, at) =>
        at % 2
          ? on.api('delete', `${links}/${link.id}`, owner.key)
          : on.api('put', `${links}/${link.id}`, owner.key).send({ custom_path: `moved-${at}` }),
      ),
    ]);
    expect(deletion.status).toBe(200);
    for (const { status } of others) expect([200, 201, 404]).toContain(status);
    await untilPurged(on, id);
  },
);

test.each(rounds(5))(
  'at most one concurrent creation gets the path of a link that is being deleted (round %d)',
  async () => {
    const { id } = await aProject(on, owner.key);
    const link = await aDynamicLink(on, owner.key, id, { custom_path: 'contested' });
    const [deletion, ...creates] = await Promise.all([
      on.api('delete', `/projects/${id}/links/${link.id}`, owner.key),
      ...Array.from({ length: 10 }, () =>
        on.api('post', `/projects/${id}/links`, owner.key).send({ name: 'x', custom_path: 'contested' }),
      ),
    ]);
    expect(deletion.status).toBe(200);
    const made = creates.filter(({ status }) => status === 201);
    expect(made.length).toBeLessThanOrEqual(1);
    for (const response of creates)
      if (!made.includes(response)) expect(response).toBeRefusedWith('CUSTOM_PATH_EXISTS');
    expect(await rowsOf(on, id)).toMatchObject({ dynamic_links: made.length, link_paths: made.length });
  },
);
