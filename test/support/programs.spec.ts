import { howToInstall, missingOf, programPath } from './programs';

const emptyPath = { PATH: '/nowhere' };

test('a missing program is returned, and the installation hint names its package', () => {
  expect(missingOf(['pgbouncer', 'redis-server'], emptyPath)).toEqual(['pgbouncer', 'redis-server']);
  expect(howToInstall(emptyPath)).toContain('apt-get install chromium-headless-shell redis-server');
});

test('the installation hint names a package of several missing programs once', () => {
  const [, packages] = /apt-get install ([^"]*)"/.exec(howToInstall(emptyPath)!)!;
  expect(packages!.split(' ')).toEqual(expect.arrayContaining(['buildah', 'mmdebstrap', 'util-linux']));
  expect(packages!.split(' ')).toEqual([...new Set(packages!.split(' '))]);
});

test('a missing program throws an error in CI', () => {
  expect(() => missingOf(['chromium'], { ...emptyPath, CI: 'true' })).toThrow('CI skips no test. chromium');
});

test('CHROMIUM_PATH replaces the search for Chromium', () => {
  expect(programPath('chromium', { ...emptyPath, CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
  expect(programPath('chromium', { ...emptyPath, CHROMIUM_PATH: '/nowhere/chromium' })).toBeNull();
});
