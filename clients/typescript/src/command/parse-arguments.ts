import { parseArgs } from 'node:util';
import { Arguments, type Values } from './arguments.js';
import { type Command, commonOptions, type Options, optionsOf, serviceOptions } from './command.js';
import { UsageFailure } from './failures.js';

const leadingOptions: Options = { ...serviceOptions, ...commonOptions, version: { help: '', short: 'V' } };

/** Splits a command line into the name of a command and its arguments. Common options may stand before the name. */
export function splitCommand(
  argv: readonly string[],
  commands: readonly Command[],
): { command: Command | null; words: string[]; rest: string[] } {
  const before: string[] = [];
  let at = 0;
  while (at < argv.length && argv[at]!.startsWith('-')) {
    const arg = argv[at++]!;
    before.push(arg);
    const name = Object.keys(leadingOptions).find(
      (one) => arg === `--${one}` || arg === `-${leadingOptions[one]!.short}`,
    );
    if (name !== undefined && leadingOptions[name]!.value !== undefined && at < argv.length) before.push(argv[at++]!);
  }
  const words = argv.slice(at, at + 2);
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, length).join(' '));
    if (command && words.length >= length)
      return { command, words: words.slice(0, length), rest: [...before, ...argv.slice(at + length)] };
  }
  return { command: null, words, rest: [...before, ...argv.slice(at)] };
}

/** @throws UsageFailure if the arguments do not fit the command */
export function parseArguments(command: Command, argv: readonly string[]): Arguments {
  const options = optionsOf(command);
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value, short, many }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple: many === true, ...(short && { short }) } as const,
    ]),
  );
  const { values, positionals } = parse(argv, config, Object.keys(options));
  for (const [name, { choices, many }] of Object.entries(options)) {
    const input = values[name];
    for (const value of many ? ((input ?? []) as string[]) : input === undefined ? [] : [input])
      if (choices && !choices.includes(String(value)))
        throw new UsageFailure(`--${name} must be one of ${choices.join(', ')}.`);
  }
  // `--help` asks for the missing arguments.
  if (values['help'] !== true) checkPositionals(command, positionals);
  return new Arguments(values, positionals);
}

function parse(
  argv: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'],
  names: readonly string[],
): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const unknown = /^Unknown option '--?([^']+)'/.exec(message)?.[1];
    if (unknown === undefined) throw new UsageFailure(`${message.split(/\.\s|\n/)[0]!.replace(/\.$/, '')}.`);
    const near = nearest(unknown, names);
    throw new UsageFailure(`There is no option --${unknown}${near === null ? '' : `; did you mean --${near}?`}`);
  }
}

function checkPositionals({ name, positionals: expected = [] }: Command, values: readonly string[]): void {
  const missing = expected.find(({ isOptional }, at) => !isOptional && values[at] === undefined);
  if (missing) throw new UsageFailure(`${missing.name} is missing; see signpost ${name} --help.`);
  const surplus = expected.at(-1)?.many ? undefined : values[expected.length];
  if (surplus !== undefined)
    throw new UsageFailure(`The argument ${JSON.stringify(surplus)} is one too many; see signpost ${name} --help.`);
  expected.forEach(({ name: placeholder, choices }, at) => {
    if (choices && values[at] !== undefined && !choices.includes(values[at]))
      throw new UsageFailure(`${placeholder} must be one of ${choices.join(', ')}.`);
  });
}

/** Returns the name with at most two different letters, or null. */
export function nearest(input: string, names: readonly string[]): string | null {
  const byDistance = names.map((name) => ({ name, distance: distanceOf(input, name) }));
  const [best] = byDistance.sort((one, other) => one.distance - other.distance);
  return best && best.distance <= Math.min(2, input.length - 1) ? best.name : null;
}

/** Returns the Levenshtein distance of two short texts. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length]!;
}
