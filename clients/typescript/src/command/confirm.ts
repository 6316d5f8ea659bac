import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Arguments } from './arguments.js';
import { Declined, Interrupted, UsageFailure } from './failures.js';
import type { Io } from './io.js';

/** @throws UsageFailure if the command would ask, and nobody can answer */
export function requireAnswerer(io: Io, args: Arguments): void {
  if (args.flag('yes') || io.stdin.isTTY) return;
  throw new UsageFailure('The command cannot ask, because stdin is no terminal; add --yes.');
}

/** Asks on stderr, unless `--yes` is given. @throws Declined, Interrupted */
export async function confirm(io: Io, args: Arguments, question: string): Promise<void> {
  requireAnswerer(io, args);
  if (args.flag('yes')) return;
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  let isInterrupted = false;
  // A terminal in raw mode sends Ctrl-C as a character, and Ctrl-D closes the input without an answer.
  lines.on('SIGINT', () => {
    isInterrupted = true;
    lines.close();
  });
  const closed = once(lines, 'close').then(() => '');
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal: io.signal }), closed]);
    if (isInterrupted) throw new Interrupted('Nothing was changed.');
    if (!/^y(es)?$/i.test(answer.trim())) throw new Declined('Nothing was changed.');
  } catch (error) {
    throw io.signal.aborted ? new Interrupted('Nothing was changed.') : error;
  } finally {
    lines.close();
  }
}
