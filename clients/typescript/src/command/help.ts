import { type Command, type Options, optionsOf, type Positional } from './command.js';
import { exitCodeMeanings } from './exit-codes.js';

const lines = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n');
};

export function renderOverview(commands: readonly Command[]): string {
  return `Usage: signpost COMMAND [OPTIONS]

Links of Signpost from a terminal, by the management API.

Commands:
${lines(commands.map(({ name, summary }) => [name, summary]))}

Environment:
${lines([
  ['SIGNPOST_URL', 'address of the service'],
  ['SIGNPOST_API_KEY', 'API key'],
  ['SIGNPOST_PROJECT', 'id or subdomain of the project'],
  ['NO_COLOR', 'no colours'],
])}

Exit codes:
${lines(Object.entries(exitCodeMeanings).map(([code, meaning]) => [code, meaning.replaceAll('`', '')]))}

signpost COMMAND --help has the options of a command.
`;
}

export function usageOf({ name, positionals = [] }: Command): string {
  return ['signpost', name, ...positionals.map(usageOfPositional), '[OPTIONS]'].join(' ');
}

function usageOfPositional({ name, many, isOptional }: Positional): string {
  const text = many ? `${name}…` : name;
  return isOptional ? `[${text}]` : text;
}

export function renderHelp(command: Command): string {
  const { summary, description, examples } = command;
  const parts = [
    `Usage: ${usageOf(command)}`,
    wrap(`${summary[0]!.toUpperCase()}${summary.slice(1)}.${description === undefined ? '' : ` ${description}`}`),
    `Options:\n${lines(Object.entries(optionsOf(command)).map(helpOfOption))}`,
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function helpOfOption([name, { short, value, choices, help }]: [string, Options[string]]): readonly [string, string] {
  const left = `${short === undefined ? '   ' : `-${short},`} --${name}${value === undefined ? '' : ` ${value}`}`;
  return [left, choices === undefined || choices.length > 4 ? help : `${help} (${choices.join(', ')})`];
}

/** Breaks a paragraph between words. */
const wrap = (text: string): string => text.replaceAll(/(?=\S)(.{1,78})(?:\s+|$)/g, '$1\n').trimEnd();
