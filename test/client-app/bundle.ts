import { join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Bundles a file of the SDK from its source.
 * @param options.external names of packages that stay imports
 */
export async function bundleOf(
  file: string,
  options: { minify?: boolean; format?: 'esm' | 'iife' | 'cjs'; external?: string[] } = {},
): Promise<string> {
  const { external = [], ...output } = options;
  const bundle = await rolldown({
    input: join(__dirname, '../../clients/app/src', file),
    external,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  const { output: chunks } = await bundle.generate({ format: 'esm', name: 'sdk', ...output });
  await bundle.close();
  return chunks[0].code;
}
