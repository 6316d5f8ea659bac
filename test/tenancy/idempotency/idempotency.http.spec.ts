import type { Response, Test } from 'supertest';
import { PgShortLinkRepository } from '../../../src/links/short-links/pg-short-link.repository';
import { aDynamicLink, aProject, aShortLink, unique } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { problem } from '../../support/problem';
import { fixture, serviceFixture, projectFixture } from '../../support/fixtures';

const on = serviceFixture({ QUOTA_FREE_PROJECTS: '2' });
const mine = fixture(() => on.anAccount());
const project = projectFixture(on, mine);
const link = fixture(() => aDynamicLink(on, mine.key, project.id));

const post = (path: string, idempotencyKey: string, body: unknown, key = mine.key): Test =>
  on
    .api('post', path, key)
    .set('Idempotency-Key', idempotencyKey)
    .send(body as object);

const links = () => `/projects/${project.id}/links`;
const idOf = ({ body }: Response) => (body as { data: { id: string } }).data.id;
const codeOf = ({ status, body }: Response) => [status, (body as { error?: { code: string } }).error?.code];

describe('a retry with the same Idempotency-Key', () => {
  test('returns the first response or IDEMPOTENCY_CONFLICT in 20 concurrent requests', async () => {
    const account = await on.anAccount('free');
    const body = { name: 'Once', subdomain: unique('once') };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/projects', 'once', body, account.key)));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(idOf)).size).toBe(1);
    expect(made.filter(({ headers }) => !('idempotent-replayed' in headers))).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(codeOf(answer)).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    // The quota of two counts it once.
    await aProject(on, account.key);
  });

  test.each([
    ['a final slash', () => `/projects/${project.id}/links/`],
    ['a percent-encoded id', () => `/projects/%${project.id.charCodeAt(0).toString(16)}${project.id.slice(1)}/links`],
  ])('repeats the response for the same operation with %s', async (spelling, path) => {
    const first = await post(links(), spelling.replaceAll(' ', '-'), { name: 'Same' }).expect(201);
    const again = await post(path(), spelling.replaceAll(' ', '-'), { name: 'Same' }).expect(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(idOf(again)).toBe(idOf(first));
  });
});

describe('an Idempotency-Key', () => {
  test('with another body returns INVALID_INPUT', async () => {
    await post(links(), 'other-body', { name: 'One' }).expect(201);
    const refused = await changingNothing(on, () => post(links(), 'other-body', { name: 'Two' }));
    expect(refused).toBeRefusedWith('INVALID_INPUT', [problem('invalid_format', 'Idempotency-Key')]);
  });

  test('is separate for each account, project and resource', async () => {
    const theirs = await on.anAccount();
    const sibling = (await aProject(on, mine.key)).id;
    const foreign = (await aProject(on, theirs.key)).id;
    const ids = [
      idOf(await post(links(), 'shared', { name: 'N' }).expect(201)),
      idOf(await post(`/projects/${sibling}/links`, 'shared', { name: 'N' }).expect(201)),
      idOf(await post(`/projects/${foreign}/links`, 'shared', { name: 'N' }, theirs.key).expect(201)),
      idOf(await post('/projects', 'shared', { name: 'N', subdomain: unique('mine') }).expect(201)),
      idOf(await post('/projects', 'shared', { name: 'N', subdomain: unique('theirs') }, theirs.key).expect(201)),
    ];
    expect(new Set(ids).size).toBe(5);
    expect(codeOf(await post(links(), 'shared', { name: 'N' }, theirs.key))).toEqual([403, 'ACCESS_DENIED']);
  });

  test('is shared by the keys of an account', async () => {
    const { key, accountId } = await on.anAccount();
    const body = { name: 'N', subdomain: unique('n') };
    const first = await post('/projects', 'two-keys', body, key).expect(201);
    const other = await on.anotherKey(accountId);
    expect(idOf(await post('/projects', 'two-keys', body, other).expect(201))).toBe(idOf(first));
  });

  test('is ignored by PUT', async () => {
    for (const name of ['One', 'Two'])
      await on
        .api('put', `${links()}/${link.id}`, mine.key)
        .set('Idempotency-Key', 'put')
        .send({ name })
        .expect(200, new RegExp(`"name":"${name}"`));
  });
});

describe('a failed request', () => {
  test('changes nothing and can be retried with the same Idempotency-Key, even with another body', async () => {
    const taken = await aDynamicLink(on, mine.key, project.id, { custom_path: 'busy' });
    const body = { name: 'N', custom_path: 'busy' };
    for (let time = 0; time < 2; time++) {
      const refused = await changingNothing(on, () => post(links(), 'failed', body));
      expect(codeOf(refused)).toEqual([409, 'CUSTOM_PATH_EXISTS']);
    }
    await on.api('delete', `${links()}/${taken.id}`, mine.key).expect(200);
    await post(links(), 'failed', body).expect(201);
    expect(codeOf(await post(links(), 'invalid', { name: '' }))).toEqual([400, 'INVALID_INPUT']);
    await post(links(), 'invalid', { name: 'N' }).expect(201);
  });

  test('creates no resource if its response cannot be stored', async () => {
    await on.database.query(`ALTER TABLE idempotent_answers ADD CONSTRAINT nothing CHECK (false) NOT VALID`);
    try {
      const answer = await changingNothing(on, () => post(links(), 'unstored', { name: 'N' }));
      expect(codeOf(answer)).toEqual([500, 'CREATE_FAILED']);
      expect(answer.headers).not.toHaveProperty('location');
    } finally {
      await on.database.query('ALTER TABLE idempotent_answers DROP CONSTRAINT nothing');
    }
    await post(links(), 'unstored', { name: 'N' }).expect(201);
  });
});

test('a generated slug that exists is replaced inside the transaction', async () => {
  const repository = on.service.app.get(PgShortLinkRepository);
  const taken = await aShortLink(on, mine.key, project.id, link.id);
  const findFree = jest.spyOn(repository, 'findFree').mockResolvedValueOnce(taken.slug as never);
  const body = { dynamic_link_id: link.id };
  const made = await post(`/projects/${project.id}/short-links`, 'slug-exists', body).expect(201);
  expect(findFree).toHaveBeenCalledTimes(2);
  findFree.mockRestore();
  const again = await post(`/projects/${project.id}/short-links`, 'slug-exists', body).expect(201);
  expect(again.text).toBe(made.text);
});
