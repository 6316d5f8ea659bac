import type { Readable, Writable } from 'node:stream';

export type Input = Readable & { isTTY?: boolean };
export type Output = Writable & { isTTY?: boolean; columns?: number };

/** Everything that the command touches outside of the service and of files. */
export interface Io {
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user interrupts the command. */
  signal: AbortSignal;
  version: string;
  /** Folder of the Markdown pages for agents. */
  pages: string;
}

/** Returns whether output may have colours (https://no-color.org). */
export function hasColours({ env }: Pick<Io, 'env'>, output: Output): boolean {
  return output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
