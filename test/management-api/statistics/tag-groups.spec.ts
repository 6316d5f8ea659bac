import type { ListedGroup } from '../../../src/management-api/statistics/counted-statistics';
import { groupsByTag } from '../../../src/management-api/statistics/tag-groups';

const link = (value: string, clicks: number[], qrScans = 0): ListedGroup => ({
  value,
  clicks: clicks.reduce((sum, one) => sum + one, 0),
  qrScans,
  groups: 0,
  parts: clicks.map((_, at) => at + 1),
  partClicks: clicks,
});

test('a link counts in each of its tags, and one without tags in none', () => {
  const tags = new Map([
    ['both', ['mail', 'sale']],
    ['one', ['sale']],
  ]);
  const sums = { groups: 3, allClicks: 15, allQrScans: 4 };
  expect(groupsByTag([link('both', [1, 3], 2), link('one', [0, 5]), link('untagged', [2])], tags)).toEqual([
    { value: 'sale', clicks: 9, qrScans: 2, parts: [1, 2], partClicks: [1, 8], ...sums },
    { value: 'mail', clicks: 4, qrScans: 2, parts: [1, 2], partClicks: [1, 3], ...sums },
    { value: '', clicks: 2, qrScans: 0, parts: [1], partClicks: [2], ...sums },
  ]);
});

test('the tags with the most clicks are listed, equal ones in the order of their ids', () => {
  const links = Array.from({ length: 130 }, (_, at) => link(String(at), [at < 100 ? 2 : 1]));
  const tags = new Map(links.map(({ value }) => [value, [`tag ${value.padStart(3, '0')}`]]));
  const groups = groupsByTag(links, tags);
  expect(groups).toHaveLength(100);
  expect(groups[0]).toMatchObject({ value: 'tag 000', groups: 130, allClicks: 230 });
  expect(groups.at(-1)!.value).toBe('tag 099');
});

test('without clicks there are no groups', () => {
  expect(groupsByTag([], new Map())).toEqual([]);
});
