import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Fails the build if the scripts that the first page needs are larger than the budget, compressed. */
export function budget({ initialScriptBytes }: { initialScriptBytes: number }): Plugin {
  return {
    name: 'signpost-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const initial = new Set<string>();
      const add = (name: string): void => {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk' || initial.has(name)) return;
        initial.add(name);
        chunk.imports.forEach(add);
      };
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && chunk.isEntry && chunk.facadeModuleId?.endsWith('/index.html'))
          add(chunk.fileName);
      let bytes = 0;
      for (const name of initial) {
        const chunk = bundle[name];
        if (chunk?.type === 'chunk') bytes += gzipSync(chunk.code).length;
      }
      this.info(`initial scripts: ${Math.round(bytes / 1000)} kB of ${initialScriptBytes / 1000} kB, compressed`);
      if (bytes === 0) this.error('The entry page has no script; check the name of its input.');
      if (bytes > initialScriptBytes)
        this.error(`The initial scripts have ${bytes} bytes compressed; load pages or packages lazily.`);
    },
  };
}
