import type { Arguments } from './arguments.js';
import { Connection } from './connection.js';
import type { Io } from './io.js';
import { Progress } from './progress.js';
import { readSettings } from './settings.js';
import { type Cell, renderFields, renderTable } from './table.js';
import { safeJson } from './text.js';

/** A run of a command: its arguments, and the ways to print. Results go to stdout, and everything for people to stderr. */
export class Context {
  readonly progress: Progress;

  constructor(
    readonly io: Io,
    readonly args: Arguments,
  ) {
    this.progress = new Progress(io.stderr);
  }

  get isJson(): boolean {
    return this.args.flag('json');
  }

  async connect(): Promise<Connection> {
    return Connection.open(this.io, await readSettings(this.io, this.args));
  }

  /** Connects for operations of the account, which need no project. */
  async connectToAccount(): Promise<Connection> {
    return Connection.ofAccount(this.io, await readSettings(this.io, this.args, { isProjectOptional: true }));
  }

  print(text: string): void {
    this.io.stdout.write(text);
  }

  printJson(value: unknown): void {
    this.print(`${safeJson(value, this.io.stdout.isTTY ? 2 : undefined)}\n`);
  }

  printTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
    this.print(renderTable(headings, rows, this.io.stdout.isTTY ? (this.io.stdout.columns ?? 80) : undefined));
  }

  printFields(fields: Readonly<Record<string, unknown>>): void {
    this.print(renderFields(fields));
  }

  /** Prints a line for people, which no program reads. */
  note(line: string): void {
    this.progress.end();
    this.io.stderr.write(`${line}\n`);
  }
}
