import { howToInstall, missingOf, programPath } from './programs';

const nowhere = { PATH: '/nowhere' };

test('a missing program skips its tests, and the line at the end names its package', () => {
  expect(missingOf(['chromium', 'redis-server'], nowhere)).toEqual(['chromium', 'redis-server']);
  expect(howToInstall(nowhere)).toContain('apt-get install chromium redis-server');
});

test('CI skips no test', () => {
  expect(() => missingOf(['chromium'], { ...nowhere, CI: 'true' })).toThrow('CI skips no test. chromium');
});

test('CHROMIUM_PATH says where Chromium is', () => {
  expect(programPath('chromium', { ...nowhere, CHROMIUM_PATH: process.execPath })).toBe(process.execPath);
  expect(programPath('chromium', { ...nowhere, CHROMIUM_PATH: '/nowhere/chromium' })).toBeNull();
});
