import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from './eventually';

/** A block of commands of a page, and the output that the page shows below it. */
export interface Step {
  commands: string;
  /** Empty if the page shows no output. */
  output: string;
}

/** Returns the `sh` blocks of a page, each with the `text` block that follows it. */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const [, indent, language, body] of markdown.matchAll(/^( *)```(\w*)\n([^]*?)^ *```$/gm)) {
    const text = body!.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd();
    if (language === 'sh') steps.push({ commands: text, output: '' });
    if (language !== 'text') continue;
    const step = steps.at(-1);
    if (step?.output !== '') throw new Error(`This output follows no commands: ${text}`);
    step.output = text;
  }
  return steps;
}

/** Returns the text from the heading to the next heading of the same level. */
export function sectionOf(markdown: string, heading: string): string {
  const start = markdown.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`There is no heading ${heading}`);
  const level = heading.slice(0, heading.indexOf(' ') + 1);
  const end = markdown.indexOf(`\n${level}`, start + 1 + heading.length);
  return markdown.slice(start, end < 0 ? undefined : end);
}

/** Returns a pattern for a documented output, in which `…` stands for any text. */
export const patternOf = (output: string): string =>
  output
    .split('…')
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[^]*?');

/** A bash that runs blocks of commands one after another, as a reader pastes them. */
export class Terminal {
  readonly #bash: ChildProcessWithoutNullStreams;
  #output = '';
  #blocks = 0;

  /** @param folder the current directory */
  constructor(folder: string) {
    this.#bash = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env: { PATH: process.env['PATH'] } });
    this.#bash.stdout.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    this.#bash.stdin.write('exec 2>&1\n');
  }

  /** Returns the output of the commands, errors included. */
  async run(commands: string): Promise<string> {
    const mark = `\nend of block ${++this.#blocks}\n`;
    this.#output = '';
    this.#bash.stdin.write(`${commands}\nprintf '\\nend of block %s\\n' ${this.#blocks}\n`);
    await eventually(() => this.#output.endsWith(mark) || this.#bash.exitCode !== null);
    if (!this.#output.endsWith(mark)) throw new Error(`bash has ended: ${this.#output}`);
    return this.#output.slice(0, -mark.length).replaceAll('\r', '').trim();
  }

  async close(): Promise<void> {
    this.#bash.stdin.end();
    if (this.#bash.exitCode === null) await once(this.#bash, 'close');
  }
}
