import { type ListRequest, type ListStep, ReadLater, stepLimits } from '../../../src/imports/apis/import-api-client';
import { importApis } from '../../../src/imports/apis/import-apis';
import { importListLimits, type ListProgress } from '../../../src/imports/apis/list-progress';
import { type Answer, OtherSystems, status, token } from './other-systems';
import { fixture } from '../../support/fixtures';

const systems = fixture(() => OtherSystems.start());
afterEach(() => jest.restoreAllMocks());

const groups = { groups: [{ guid: 'Bone' }] };
const list: ListRequest = { api: importApis.get('bitly')!, token, url: null, choice: {} };

/** Reads one step, which Bitly answers so. */
function stepOf(answer: Answer, progress: ListProgress | null = null): Promise<ListStep> {
  systems.set('api-ssl.bitly.com', () => answer);
  return systems.client().readPage(list, progress, new AbortController().signal);
}

/** Returns what a step throws. */
const failureOf = (answer: Answer, progress: ListProgress | null = null): Promise<unknown> =>
  stepOf(answer, progress).then(
    () => null,
    (error: unknown) => error,
  );

/** Returns the progress after a step that fails so often with this status. */
async function afterFailures(code: number, times: number, from: ListProgress | null): Promise<ListProgress | null> {
  let progress = from;
  for (let at = 0; at < times; at++) {
    const failure = await failureOf(status(code), progress);
    if (!(failure instanceof ReadLater)) throw failure;
    ({ progress } = failure);
  }
  return progress;
}

test.each<[what: string, answer: Answer, afterSeconds: number, attempts: object]>([
  ['a limit', status(429), 1, { failed: 0, limited: 1 }],
  ['a limit with a wait', status(429, { 'Retry-After': '4711' }), 4711, { failed: 0, limited: 1 }],
  ['a fault', status(503), 1, { failed: 1, limited: 0 }],
  ['a fault with a wait', status(500, { 'Retry-After': '7' }), 7, { failed: 1, limited: 0 }],
  ['a broken connection', (response) => void response.destroy(), 1, { failed: 1, limited: 0 }],
])('%s ends the step at once, and its attempt counts', async (_, answer, afterSeconds, attempts) => {
  const { progress } = await stepOf(groups);
  expect(await failureOf(answer, progress)).toMatchObject({ afterSeconds, progress: { ...progress, attempts } });
  expect(await failureOf(answer)).toMatchObject({ afterSeconds, progress: { cursor: null, attempts } });
});

test('attempts at a step are limited by their reason, and begin anew after it', async () => {
  const limited = await afterFailures(429, 39, null);
  const both = await afterFailures(500, 5, limited);
  expect(both).toMatchObject({ attempts: { failed: 5, limited: 39 } });
  expect(await failureOf(status(500), both)).toMatchObject({ fault: 'wrong_status' });
  expect(await failureOf(status(429), both)).toMatchObject({ fault: 'rate_limited' });
  const { progress } = await stepOf(groups, both);
  expect(progress).toMatchObject({ attempts: { failed: 0, limited: 0 } });
});

test('an attempt at a step with several questions counts, although the first one is answered', async () => {
  const api = importApis.get('dub')!;
  systems.set('api.dub.co', ({ path, query }) =>
    path === '/folders' && query.get('page') === '1'
      ? Array.from({ length: 50 }, (_, id) => ({ id: String(id) }))
      : status(429),
  );
  let progress: ListProgress | null = null;
  for (let limited = 1; limited < 40; limited++) {
    const step = systems.client().readPage({ ...list, api }, progress, new AbortController().signal);
    const failure: unknown = await step.catch((error: unknown) => error);
    expect(failure).toMatchObject({ progress: { attempts: { limited } } });
    ({ progress } = failure as ReadLater);
  }
  const last = systems.client().readPage({ ...list, api }, progress, new AbortController().signal);
  await expect(last).rejects.toMatchObject({ fault: 'rate_limited' });
});

test('a step that has lasted too long asks nothing more, and its attempt counts', async () => {
  jest.replaceProperty(stepLimits, 'askingMs', -1);
  const progress = { attempts: { failed: 1, limited: 0 } };
  expect(await failureOf(groups)).toMatchObject({ afterSeconds: 1, progress });
});

test('bytes of all answers count, also where no link has them', async () => {
  const answer = { links: [], pagination: { search_after: 'b' }, ignored: 'x'.repeat(1000) };
  const bytes = JSON.stringify(groups).length + JSON.stringify(answer).length;
  jest.replaceProperty(importListLimits, 'maxBytes', bytes);
  const { progress } = await stepOf(answer, (await stepOf(groups)).progress);
  expect(progress).toMatchObject({ bytes });
  expect(await failureOf(groups, progress)).toMatchObject({ fault: 'list_too_large' });
});

test.each<[string, Answer, string, RegExp]>([
  [
    'with very many parts',
    { groups: Array.from({ length: 2000 }, (_, at) => ({ guid: `B${at}_guid` })) },
    'list_too_large',
    /too many parts; choose one/,
  ],
  [
    'that sends the token',
    { groups: [{ guid: `x${token}` }] },
    'strange_answer',
    /^Bitly has sent an answer with the token/,
  ],
])('a list %s is not read, because its progress is stored', async (_, answer, fault, message) => {
  expect(await failureOf(answer)).toMatchObject({ fault, message: expect.stringMatching(message) });
});

test('a list without a link ends after many empty pages', async () => {
  const empty = { links: [], pagination: { search_after: '' } };
  const { progress } = await stepOf({ groups: Array.from({ length: 1001 }, (_, at) => ({ guid: String(at) })) });
  expect(await failureOf(empty, { ...progress!, empty: 1000 })).toMatchObject({ fault: 'strange_answer' });
  expect(await failureOf(empty, { ...progress!, empty: 999 })).toBeNull();
});

test('a list ends if a page comes again under another cursor', async () => {
  const page = (after: string) => ({ links: [{ id: 'a' }], pagination: { search_after: after } });
  const { progress } = await stepOf(page('2'), (await stepOf(groups)).progress);
  expect(await failureOf(page('3'), progress)).toMatchObject({
    message: expect.stringMatching(/^Bitly repeats the pages of its list/),
  });
});

test('a step ends once it is aborted', async () => {
  const stopping = new AbortController();
  systems.set('api-ssl.bitly.com', () => () => stopping.abort(new Error('stopped')));
  await expect(systems.client().readPage(list, null, stopping.signal)).rejects.toThrow('stopped');
});
