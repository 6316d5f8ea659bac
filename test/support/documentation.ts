import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './chart-tools';

/** Folders with generated content; .gitignore lists them. */
const generated = new Set(['node_modules', 'build', 'dist', 'reports', 'coverage', '.data', '.git']);

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return generated.has(entry.name) ? [] : filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** All files of the repository, relative to its root. */
export const files = filesIn('.');

export const pages = files.filter((file) => file.endsWith('.md'));
