import { missingOf } from './programs';

test('a missing program throws an error in CI', () => {
  expect(() => missingOf(['chromium'], { PATH: '/nowhere', CI: 'true' })).toThrow('CI skips no test. chromium');
});
