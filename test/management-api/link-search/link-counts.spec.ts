import { fc, runs } from '../../support/properties';
import { frequentTexts, thinned } from '../../../src/management-api/link-search/frequent-texts';
import { LinkCounts } from '../../../src/management-api/link-search/link-counts';
import { EventLoopTurns } from '../../../src/shared/event-loop-turns';
import { TextTrie } from '../../../src/management-api/link-search/text-trie';

const turns = new EventLoopTurns(new AbortController().signal);

const character = fc.constantFrom('a', 'b', 'é', ' ', '-', '😀', '漢', '\u0301');
const field = fc.string({ unit: character, maxLength: 12 });
const links = fc.array(fc.record({ name: field, path: field, change: fc.constantFrom(1, -1) }), { maxLength: 30 });

const substrings = (text: string): string[] =>
  Array.from({ length: text.length }, (_, start) =>
    Array.from({ length: text.length - start }, (__, at) => text.slice(start, start + at + 1)),
  ).flat();

/** Texts by the number of rows that contain them. */
function countNaively(rows: string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const fields of rows)
    for (const text of new Set(fields.flatMap(substrings))) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

async function countsOf(trie: TextTrie, given: { name: string; path: string; change: number }[]) {
  const counts = new LinkCounts(trie, turns);
  await counts.add({
    iosAppId: null,
    androidAppId: null,
    names: given.map(({ name }) => name),
    paths: given.map(({ path }) => path),
    changes: given.map(({ change }) => change),
  });
  return new Map([...counts.batches(3)].flat().map(({ text, links: count }) => [text, count]));
}

test('each text of the trie and each short text is counted once per link that contains it', async () => {
  await fc.assert(
    fc.asyncProperty(
      links,
      fc.array(fc.string({ unit: character, minLength: 3, maxLength: 6 })),
      async (given, long) => {
        const trie = new TextTrie(1000);
        for (const text of long) trie.add(text);
        const counts = await countsOf(trie, given);
        const expected = new Map<string, number>();
        for (const { name, path, change } of given)
          for (const text of new Set(['', ...substrings(name), ...substrings(path)]))
            if ((text.length < 3 || long.includes(text)) && text.isWellFormed())
              expected.set(text, (expected.get(text) ?? 0) + change);
        for (const [text, count] of expected) if (count === 0) expected.delete(text);
        expect(new Map([...counts].sort())).toEqual(new Map([...expected].sort()));
      },
    ),
    runs(200),
  );
});

test('frequent texts are those that enough rows contain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(field, { maxLength: 30 }), fc.integer({ min: 1, max: 6 }), async (rows, minRows) => {
      const expected = [...countNaively(rows.map((row) => [row]))]
        .filter(([text, count]) => count >= minRows && text.isWellFormed())
        .map(([text]) => text);
      expect((await frequentTexts(rows, minRows, 10_000, turns)).sort()).toEqual(expected.sort());
    }),
    runs(200),
  );
});

test('long rows are thinned in equal distances', () => {
  const rows = Array.from({ length: 10_000 }, (_, n) => `${n} ${'x'.repeat(500)}`);
  const kept = thinned(rows);
  expect([kept.length, kept[0], kept[1]]).toEqual([3334, rows[0], rows[3]]);
  expect(thinned(kept)).toBe(kept);
});

test('the most frequent texts remain if there are too many', async () => {
  expect(await frequentTexts(['abc', 'ab', 'a', 'x'], 1, 2, turns)).toEqual(['a', 'b']);
});

test('a full trie says that it lacks short texts, and still counts what it has', async () => {
  const trie = new TextTrie(3);
  trie.add('ab');
  const given = ['ab', 'cd', 'ab', 'ef'].map((name) => ({ name, path: '', change: 1 }));
  const counts = await countsOf(trie, given);
  expect(counts.get('ab')).toBe(2);
  expect(trie.lacksShort).toBe(true);
});

test('a trie grows beyond its first size', async () => {
  const names = Array.from({ length: 3000 }, (_, n) => `name${n.toString(36)}`);
  const trie = new TextTrie(10_000);
  for (const name of names) trie.add(name);
  const counts = await countsOf(
    trie,
    names.map((name) => ({ name, path: name, change: 1 })),
  );
  expect(names.every((name) => counts.get(name)! >= 1)).toBe(true);
  expect(counts.get('na')).toBe(3000);
});
