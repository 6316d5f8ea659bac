import { chromiumPath } from './browser';

test('a missing browser fails, and says how to get it', () => {
  expect(() => chromiumPath({ CHROMIUM_PATH: '/nowhere/chromium' })).toThrow(
    'there is none at /nowhere/chromium. Install it with "apt-get install chromium"',
  );
});
