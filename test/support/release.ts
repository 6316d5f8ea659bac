import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { RunProgram } from './process';
import { limitsOfPrograms } from './time-limits';

/** A copy of the built programs with other migrations, as an earlier or a later release has them. */
export class Release {
  readonly #folder = mkdtempSync(join(tmpdir(), 'signpost-release-'));

  /** @param change changes the folder of the migrations */
  constructor(change: (migrations: string) => void) {
    const root = resolve(__dirname, '../..');
    for (const name of ['package.json', 'dist', 'migrations'])
      cpSync(join(root, name), join(this.#folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'));
    change(join(this.#folder, 'migrations'));
  }

  /** The folder of its programs. */
  get programs(): string {
    return join(this.#folder, 'dist');
  }

  readonly run: RunProgram = async (script, environment, ...args) => {
    const env = { PATH: process.env['PATH'], ...environment };
    const program = join(this.programs, `${script}.js`);
    return (await promisify(execFile)(process.execPath, [...limitsOfPrograms(), program, ...args], { env })).stdout;
  };

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
