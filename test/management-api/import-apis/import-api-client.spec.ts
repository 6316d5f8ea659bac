import { ImportApiClient, type ParsedAnswer } from '../../../src/management-api/import-apis/import-api-client';
import { importApis } from '../../../src/management-api/import-apis/import-apis';
import { ReceivedAnswers } from '../../../src/management-api/imports/received-answers';
import { HostAddresses } from '../../../src/platform/outbound/host-addresses';
import { OtherSystems, token } from './other-systems';

class LoopbackAddresses extends HostAddresses {
  addressesOf(): Promise<string[]> {
    return Promise.resolve(['127.0.0.1']);
  }
}

let systems: OtherSystems;
beforeAll(async () => {
  systems = await OtherSystems.start();
});
afterAll(() => systems.stop());

test('the length and the cost of each answer are given before its page', async () => {
  const { port, caCertificates } = systems;
  const clock = { now: () => Date.now() };
  const client = new ImportApiClient(new LoopbackAddresses(), { allowPrivateAddresses: true }, clock, {
    port,
    caCertificates,
  });
  const groups = { groups: [{ guid: 'Bone' }] };
  const page = { links: [{ id: 'a' }], pagination: { search_after: '' }, ignored: 'x'.repeat(1_000_000) };
  systems.set('api-ssl.bitly.com', ({ path }) => (path === '/v4/groups' ? groups : page));
  const answers: ParsedAnswer[] = [];
  const list = { api: importApis.get('bitly')!, token, url: null, choice: {} };
  const pages = client.pages(list, new AbortController().signal, async (answer) => void answers.push(answer));
  await pages.next();
  await pages.return(undefined);
  expect(answers.map(({ bytes }) => bytes)).toEqual([JSON.stringify(groups).length, JSON.stringify(page).length]);
  expect(answers[1]!.parsedInMs).toBeGreaterThan(0);
});

test('a list pauses after an answer for twice the time of its parsing', async () => {
  const startedAt = performance.now();
  await new ReceivedAnswers(new AbortController().signal).add({ bytes: 1, parsedInMs: 50 });
  expect(performance.now() - startedAt).toBeGreaterThan(95);
});

test('a pause ends once its list is aborted', async () => {
  const stopping = new AbortController();
  const pause = new ReceivedAnswers(stopping.signal).add({ bytes: 1, parsedInMs: 600_000 });
  stopping.abort(new Error('stopped'));
  await expect(pause).rejects.toThrow('stopped');
});
