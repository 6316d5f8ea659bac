import { setImmediate as nextTurn } from 'node:timers/promises';
import { scopeProblems } from '../../src/diagnostics/association-health/scope-checks';
import { ImportReport } from '../../src/imports/files/import-report';
import type { ImportRow } from '../../src/imports/model/import-row';

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

const app = { id: '1', name: 'Shop', paths: ['/a'] };
const bytes = Buffer.from('{}');
const row: ImportRow = { number: 1, bytes, fault: null, outcome: 'created', linkId: null, problems: [], unmapped: [] };
const report = new ImportReport({ format: 'csv', columns: ['name'] }, () => ({}));

test.each<[string, () => Promise<unknown>]>([
  ['the paths of many apps', () => scopeProblems('ios', Array(500).fill(app), [], false)],
  ['the rows of a report', () => report.writeAll(Array<ImportRow>(500).fill(row))],
])('working on %s lets other work run', async (_, work) => {
  expect(await turnsDuring(work)).toBeGreaterThan(30);
});
