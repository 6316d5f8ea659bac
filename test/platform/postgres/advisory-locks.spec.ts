import { advisoryLocks } from '../../../src/platform/postgres/advisory-locks';
import { filesBelow, readPage } from '../../support/pages';

test('no lock of a process is one that functions of migrations take', () => {
  const ofProcesses = Object.values(advisoryLocks);
  const ofFunctions = filesBelow('migrations', '.sql').flatMap((path) =>
    [...readPage(path).matchAll(/_lock(?:_shared)?\((1668049251, \d+)\)/g)].map(([, lock]) => lock!),
  );
  expect(ofFunctions).toContain('1668049251, 4');
  expect([...ofProcesses, ...new Set(ofFunctions)].toSorted()).toEqual(
    [...new Set([...ofProcesses, ...ofFunctions])].toSorted(),
  );
});
