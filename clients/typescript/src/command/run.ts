import { nearest, parseArguments, splitCommand } from './parse-arguments.js';
import { commands } from './commands.js';
import { Context } from './context.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { Interrupted, UsageFailure } from './failures.js';
import { renderHelp, renderOverview } from './help.js';
import type { Io } from './io.js';
import { renderFailure } from './report-failure.js';

/** Runs a command line, and returns the exit code. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let failure: unknown;
  try {
    return await runCommand(argv, io);
  } catch (error) {
    // An interruption breaks off files and requests, each with another error.
    const isBrokenOff = io.signal.aborted && !(error instanceof Interrupted);
    failure = isBrokenOff ? new Interrupted('The command was interrupted.') : error;
  }
  const { text, exitCode } = renderFailure(failure, argv.includes('--json'));
  io.stderr.write(text);
  return exitCode;
}

async function runCommand(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { command, words, rest } = splitCommand(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv, commands);
  if (!command) return runWithoutCommand(words, rest, io);
  const args = parseArguments(command, rest);
  if (args.flag('help')) {
    io.stdout.write(renderHelp(command));
    return exitCodes.done;
  }
  const context = new Context(io, args);
  try {
    return await command.run(context);
  } finally {
    context.progress.end();
  }
}

function runWithoutCommand(words: readonly string[], options: readonly string[], io: Io): ExitCode {
  const named = words.filter((word) => !word.startsWith('-'));
  const all = [...words, ...options];
  if (named.length === 0) {
    if (all.includes('--version') || all.includes('-V')) io.stdout.write(`signpost ${io.version}\n`);
    else if (all.includes('--help') || all.includes('-h')) io.stdout.write(renderOverview(commands));
    else {
      io.stderr.write(renderOverview(commands));
      return exitCodes.usage;
    }
    return exitCodes.done;
  }
  const [group] = named;
  const inGroup = commands.filter(({ name }) => name.startsWith(`${group} `));
  if (inGroup.length > 0 && (all.includes('--help') || all.includes('-h'))) {
    io.stdout.write(renderOverview(inGroup));
    return exitCodes.done;
  }
  const near =
    nearest(
      named.join(' '),
      commands.map(({ name }) => name),
    ) ??
    inGroup[0]?.name ??
    null;
  const hint = near === null ? 'see signpost --help.' : `did you mean ${near}? See signpost --help.`;
  throw new UsageFailure(`There is no command ${JSON.stringify(named.join(' '))}; ${hint}`);
}
