const files = import.meta.glob<string>('../../../../docs/**/*.md', { query: '?help', import: 'default' });

/** Loads the pages of the documentation, by their names in addresses such as `moving-in/csv`. */
export const helpPages: ReadonlyMap<string, () => Promise<string>> = new Map(
  Object.entries(files).map(([file, load]) => [
    file
      .replace(/^.*\/docs\//, '')
      .replace(/\.md$/, '')
      .replace(/(^|\/)README$/, '$1index'),
    load,
  ]),
);
