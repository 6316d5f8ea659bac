import { setImmediate as nextTurn } from 'node:timers/promises';
import { scopeProblems } from '../../src/diagnostics/association-health/scope-checks';
import { frequentTexts } from '../../src/management-api/link-search/frequent-texts';
import { ImportReport } from '../../src/management-api/import-files/import-report';
import type { ImportRow } from '../../src/management-api/import-model/import-row';
import { LinkCounts } from '../../src/management-api/link-search/link-counts';
import { TextTrie } from '../../src/management-api/link-search/text-trie';
import { EventLoopTurns } from '../../src/shared/event-loop-turns';

/** Counts the turns of the event loop during the work, in which each look at the clock takes a millisecond. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => ++now);
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns++) await nextTurn();
  })();
  try {
    await work();
  } finally {
    isOver = true;
    clock.mockRestore();
    await counting;
  }
  return turns;
}

const someTurns = () => new EventLoopTurns(new AbortController().signal);

test('work ends with its turn once it is aborted', async () => {
  const stopping = new AbortController();
  const work = frequentTexts(['a'.repeat(1_000_000)], 1, 10, new EventLoopTurns(stopping.signal));
  stopping.abort(new Error('stopped'));
  await expect(work).rejects.toThrow('stopped');
});

test('a turn ends after five milliseconds', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const turns = someTurns();
  const ends: boolean[] = [];
  for (now of [1, 4.9, 5, 9, 10]) {
    const turn = turns.next();
    ends.push(turn !== undefined);
    await turn;
  }
  clock.mockRestore();
  expect(ends).toEqual([false, false, true, false, true]);
});

test.each<[string, () => Promise<unknown>]>([
  ['frequent texts of one long row', () => frequentTexts(['a'.repeat(100_000)], 2, 10, someTurns())],
  [
    'frequent texts of many rows',
    () => frequentTexts(Array<string>(10_000).fill('some name'), 20_000, 10, someTurns()),
  ],
  [
    'the texts of links',
    () =>
      new LinkCounts(new TextTrie(100), someTurns()).add({
        iosAppId: null,
        androidAppId: null,
        names: Array<string>(200).fill('a'.repeat(200)),
        paths: Array<string>(200).fill('b'),
      }),
  ],
  [
    'the paths of many apps',
    () => scopeProblems('ios', Array(500).fill({ id: '1', name: 'Shop', paths: ['/a'] }), [], false),
  ],
  [
    'the rows of a report',
    () => {
      const row: ImportRow = {
        number: 1,
        bytes: Buffer.from('{}'),
        fault: null,
        outcome: 'created',
        linkId: null,
        problems: [],
        unmapped: [],
      };
      return new ImportReport({ format: 'csv', columns: ['name'] }, () => ({})).writeAll(
        Array<ImportRow>(500).fill(row),
      );
    },
  ],
])('working on %s lets other work run', async (_, work) => {
  expect(await turnsDuring(work)).toBeGreaterThan(30);
});
