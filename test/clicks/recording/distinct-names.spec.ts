import { dayMs } from '../../../src/clicks/recording/click';
import { DistinctNames, maxReferrersPerDay, otherName } from '../../../src/clicks/recording/distinct-names';
import { newId } from '../../../src/shared/id';
import { aClick, anOpenedLink, batchOf } from './counting';

const projectId = newId();
const link = anOpenedLink();

test('a project keeps so many hosts a day, and those that it has stay', () => {
  const counted = new DistinctNames(2);
  const names = ['a.example', 'b.example', 'c.example', 'a.example', 'd.example', 'b.example'].map((name) =>
    counted.nameOf(projectId, 0, name),
  );
  expect(names).toEqual(['a.example', 'b.example', '*', 'a.example', '*', 'b.example']);
});

test('projects and days have separate numbers', () => {
  const counted = new DistinctNames(1);
  counted.nameOf(projectId, 0, 'a.example');
  expect(counted.nameOf(projectId, 0, 'b.example')).toBe(otherName);
  expect(counted.nameOf(newId(), 0, 'b.example')).toBe('b.example');
  expect(counted.nameOf(projectId, dayMs - 1, 'b.example')).toBe(otherName);
  expect(counted.nameOf(projectId, dayMs, 'b.example')).toBe('b.example');
});

test('hosts of the day before stay, whatever other hosts come first', () => {
  const counted = new DistinctNames(2);
  const namesOf = (day: number, hosts: string) =>
    Array.from(hosts, (host) => counted.nameOf(projectId, day * dayMs, host)).join('');
  expect(namesOf(0, 'abc')).toBe('ab*');
  expect(namesOf(1, 'xyzba')).toBe('xy*ba');
  // Of the four, the two that were usual already.
  expect(namesOf(2, 'vwxyab')).toBe('vw**ab');
});

test('a clock that is set back begins no other day', () => {
  const counted = new DistinctNames(1);
  const names = [1, 0, 1].map((day) => counted.nameOf(projectId, day * dayMs, `${day}.example`));
  expect(names).toEqual(['1.example', '*', '1.example']);
});

test.each([2, 400])('a clock that was %i days ahead leaves no limit behind', (ahead) => {
  const counted = new DistinctNames(1);
  const names = [0, ahead, 0, 1].map((day, place) => counted.nameOf(projectId, day * dayMs, `${place}.example`));
  expect(names).toEqual(['0.example', '1.example', '2.example', '3.example']);
});

test('forgets hosts before they take much memory', () => {
  const counted = new DistinctNames();
  for (let project = 0; project < 300; project++) {
    const id = newId();
    for (let host = 0; host < maxReferrersPerDay.project; host++) counted.nameOf(id, 0, `${host}.example`);
    expect(counted.remembered).toBeLessThanOrEqual(100_000);
  }
});

test('a batch has no more hosts than that, and every click', () => {
  const clicks = Array.from({ length: 5000 }, (_, number) =>
    aClick({ at: number, projectId, link, referrer: `${number % 2500}.example` }),
  );
  const [row] = batchOf(clicks).rows();
  expect(row!.visitors).toHaveLength(maxReferrersPerDay.project + 1);
  const other = 1 + row!.visitors.findIndex(({ referrer }) => referrer === otherName);
  expect(row!.counts[row!.openedBy.indexOf(other)]).toBe(5000 - 2 * maxReferrersPerDay.project);
  expect(row!.moments).toHaveLength(5000);
});
