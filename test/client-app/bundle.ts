import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Bundles a file of the SDK from its source. */
export async function bundleOf(file: string, options: { minify?: boolean; format?: 'esm' | 'iife' } = {}): Promise<string> {
  const bundle = await rolldown({
    input: join(__dirname, '../../clients/app/src', file),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  const { output } = await bundle.generate({ format: 'esm', name: 'sdk', ...options });
  await bundle.close();
  return output[0].code;
}
