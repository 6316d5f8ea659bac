import { gzipSync } from 'node:zlib';
import { bundleOf } from './bundle';

test('the core has at most 6 kB when compressed, and uses neither URL nor URLSearchParams', async () => {
  const code = await bundleOf('index.ts', { minify: true });
  expect(gzipSync(code).length).toBeLessThanOrEqual(6 * 1024);
  expect(code).not.toMatch(/\bURL(?:SearchParams)?\b/);
});
