import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder for the files of a spec, and removes it at the end. */
export function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-command-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return { file: (name: string): string => join(folder, name) };
}
