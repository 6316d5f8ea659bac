import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder for the specs of a file, and removes it after them. */
export function aTemporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'signpost-spec-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 }));
  return folder;
}
