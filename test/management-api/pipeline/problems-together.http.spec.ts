import type { Problem } from '../../../src/shared/problem';
import { aDynamicLink, unique } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { problem } from '../../support/problem';
import { serviceFixture, accountFixture, projectFixture, fixture } from '../../support/fixtures';

const on = serviceFixture();
const account = accountFixture(on, 'pro');
const project = projectFixture(on, account);
const link = fixture(() => aDynamicLink(on, account.key, project.id));

const detailsOf = ({ body }: { body: unknown }) => (body as { error: { details: Problem[] } }).error.details;

describe('an unknown query parameter is reported with', () => {
  const x = problem('unrecognized_key', 'x');
  const ofLink = (suffix: string) => () => `/projects/${project.id}/links/${link.id}${suffix}`;

  test.each<[string, () => string, ReturnType<typeof problem>[]]>([
    [
      'every other problem, whatever the order of the query',
      () => '/projects?limit=101&sortby=name&sortOrder=up&page=1&page=2',
      [
        problem('unrecognized_key', 'sortby'),
        problem('invalid_enum_value', 'sortOrder'),
        problem('invalid_type', 'page'),
        problem('too_big', 'limit'),
      ],
    ],
    [
      'a rule across parameters: the contrast of a QR code',
      ofLink('/qr-code?size=200&x=1&color=fefefe'),
      [
        x,
        { ...problem('invalid_format', 'color'), message: expect.stringContaining('contrast') },
        { ...problem('invalid_format', 'background'), message: expect.stringContaining('contrast') },
      ],
    ],
    [
      'a rule across parameters: the visitor of an explanation',
      ofLink('/explain?x=1&platform=ios&user_agent=a&client_hint=b'),
      [x, problem('invalid_format', 'user_agent'), problem('invalid_format', 'client_hint')],
    ],
    ['a required parameter that is absent', ofLink('/explain?x=1'), [x, problem('required', 'platform')]],
    ['nothing else if the rest is valid', () => '/projects?x=1&page=2', [x]],
    [
      'other unknown ones',
      () => '/projects?x=1&__proto__=2&constructor=3',
      ['x', '__proto__', 'constructor'].map((name) => problem('unrecognized_key', name)),
    ],
  ])('%s', async (_, path, problems) => {
    const answer = await on.api('get', path(), account.key);
    expect(answer).toBeRefusedWith('INVALID_INPUT', expect.any(Array));
    const details = detailsOf(answer);
    expect(details).toHaveLength(problems.length);
    expect(details).toEqual(expect.arrayContaining(problems));
  });

  test('a query and a body of an operation that takes both', async () => {
    const ask = (query: string, body: object) =>
      changingNothing(on, () => on.api('post', ofLink(`/explain?${query}`)(), account.key).send(body));
    const answer = await ask('x=1&platform=ios&client_hint=a', { desktop_url: 'x', name: '' });
    expect(answer).toBeRefusedWith('INVALID_INPUT', [
      x,
      problem('invalid_format', 'client_hint'),
      problem('too_small', 'name'),
      problem('invalid_format', 'desktop_url'),
    ]);
    expect(await ask('platform=ios', { name: '' })).toBeRefusedWith('INVALID_INPUT', [problem('too_small', 'name')]);
    const id = problem('unrecognized_key', 'id');
    expect(await ask('platform=x', { id: 'x' })).toBeRefusedWith('FORBIDDEN_FIELD', [id]);
  });

  test('the first 100 of many unknown parameters', async () => {
    const names = Array.from({ length: 3000 }, (_, at) => at.toString(36));
    const answer = await on.api('get', `/projects?${names.join('&')}`, account.key);
    expect(answer).toBeRefusedWith('INVALID_INPUT', expect.any(Array));
    expect(detailsOf(answer)).toHaveLength(100);
  });

  test('a query that cannot be decoded, with the problems of the body', async () => {
    const faulty = await on.api('post', '/projects?x=%ff', account.key).send({ name: '', subdomain: 'ab' });
    expect(faulty).toBeRefusedWith('INVALID_INPUT', [
      { code: 'invalid_format', path: [], message: 'The query is not valid percent-encoded UTF-8' },
      problem('too_small', 'name'),
    ]);
    const forbidden = await on.api('post', '/projects?x=%ff', account.key).send({ id: 'x', name: '' });
    expect(forbidden).toBeRefusedWith('FORBIDDEN_FIELD', [problem('unrecognized_key', 'id')]);
  });

  test('no other problem if the body is no JSON object', async () => {
    const path = `/projects/${project.id}?x=1`;
    const array = await on.api('put', path, account.key).send([]);
    expect(array).toBeRefusedWith('INVALID_INPUT', [
      x,
      { code: 'invalid_type', path: [], message: 'The body must be a JSON object' },
    ]);
  });
});

describe('the path of a problem has names exactly as sent:', () => {
  const long = 'x'.repeat(3000);

  test.each(['Größe', ' ', 'page[]', '\u0000', 'PAGE'])('the query parameter %j', async (name) => {
    const answer = await on.api('get', `/projects?${encodeURIComponent(name)}=1`, account.key);
    expect(detailsOf(answer).map(({ path }) => path)).toEqual([[name]]);
  });

  test.each([
    ['a long key of referrer_params', long],
    ['a key with a lone surrogate', '\ud800'],
    ['a key with NUL', 'a\0b'],
    ['__proto__', '__proto__'],
  ])('%s', async (_, name) => {
    const params = `{${JSON.stringify(name)}:${name === '__proto__' ? 1 : '"v"'}}`;
    const request = on
      .api('post', `/projects/${project.id}/links`, account.key)
      .set('Content-Type', 'application/json');
    const answer = await request.send(`{"name":"N","referrer_params":${params}}`);
    expect(detailsOf(answer).map(({ path }) => path)).toEqual([['referrer_params', name]]);
    expect(answer.text.length).toBeLessThan(4000);
  });

  test.each([long, '\ud800', ''])('the forbidden field %j', async (name) => {
    const request = on.api('post', '/projects', account.key).set('Content-Type', 'application/json');
    const answer = await request.send(`{"name":"N","subdomain":"${unique('f')}",${JSON.stringify(name)}:1}`);
    expect(answer).toBeRefusedWith('FORBIDDEN_FIELD');
    expect(detailsOf(answer).map(({ path }) => path)).toEqual([[name]]);
  });
});
