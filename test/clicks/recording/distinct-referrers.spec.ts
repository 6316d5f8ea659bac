import { dayMs } from '../../../src/clicks/recording/click';
import { DistinctReferrers, maxReferrersPerDay, otherReferrer } from '../../../src/clicks/recording/distinct-referrers';
import { newId } from '../../../src/shared/id';
import { aClick, anOpenedLink, batchOf } from './counting';

const projectId = newId();
const link = anOpenedLink();
const visit = (referrer: string | null, at = 0, project = projectId) => ({ at, projectId: project, referrer });

test('a project keeps so many hosts a day, and those that it has stay', () => {
  const referrers = new DistinctReferrers(2);
  const names = ['a.example', 'b.example', 'c.example', 'a.example', null, 'd.example', 'b.example'].map((referrer) =>
    referrers.nameOf(visit(referrer)),
  );
  expect(names).toEqual(['a.example', 'b.example', '*', 'a.example', null, '*', 'b.example']);
});

test('projects and days have separate numbers', () => {
  const referrers = new DistinctReferrers(1);
  referrers.nameOf(visit('a.example'));
  expect(referrers.nameOf(visit('b.example'))).toBe(otherReferrer);
  expect(referrers.nameOf(visit('b.example', 0, newId()))).toBe('b.example');
  expect(referrers.nameOf(visit('b.example', dayMs - 1))).toBe(otherReferrer);
  expect(referrers.nameOf(visit('b.example', dayMs))).toBe('b.example');
});

test('hosts of the day before stay, whatever other hosts come first', () => {
  const referrers = new DistinctReferrers(2);
  const namesOf = (day: number, hosts: string) =>
    Array.from(hosts, (host) => referrers.nameOf(visit(host, day * dayMs))).join('');
  expect(namesOf(0, 'abc')).toBe('ab*');
  expect(namesOf(1, 'xyzba')).toBe('xy*ba');
  // Of the four, the two that were usual already.
  expect(namesOf(2, 'vwxyab')).toBe('vw**ab');
});

test('a clock that is set back begins no other day', () => {
  const referrers = new DistinctReferrers(1);
  const names = [1, 0, 1].map((day) => referrers.nameOf(visit(`${day}.example`, day * dayMs)));
  expect(names).toEqual(['1.example', '*', '1.example']);
});

test.each([2, 400])('a clock that was %i days ahead leaves no limit behind', (ahead) => {
  const referrers = new DistinctReferrers(1);
  const names = [0, ahead, 0, 1].map((day, place) => referrers.nameOf(visit(`${place}.example`, day * dayMs)));
  expect(names).toEqual(['0.example', '1.example', '2.example', '3.example']);
});

test('forgets hosts before they take much memory', () => {
  const referrers = new DistinctReferrers();
  for (let project = 0; project < 300; project++) {
    const id = newId();
    for (let host = 0; host < maxReferrersPerDay.project; host++) referrers.nameOf(visit(`${host}.example`, 0, id));
    expect(referrers.remembered).toBeLessThanOrEqual(100_000);
  }
});

test('a batch has no more hosts than that, and every click', () => {
  const clicks = Array.from({ length: 5000 }, (_, number) =>
    aClick({ at: number, projectId, link, referrer: `${number % 2500}.example` }),
  );
  const [row] = batchOf(clicks).rows();
  expect(row!.visitors).toHaveLength(maxReferrersPerDay.project + 1);
  const other = 1 + row!.visitors.findIndex(({ referrer }) => referrer === otherReferrer);
  expect(row!.counts[row!.openedBy.indexOf(other)]).toBe(5000 - 2 * maxReferrersPerDay.project);
  expect(row!.moments).toHaveLength(5000);
});
