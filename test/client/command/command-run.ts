import { PassThrough, Readable } from 'node:stream';
import type { Io } from '../../../clients/typescript/src/command/io';
import { run } from '../../../clients/typescript/src/command/run';
import { aProject, type ProjectBody } from '../../support/builders';
import { aService, type TestService } from '../../support/service';

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

interface CommandInput {
  env?: Record<string, string>;
  stdin?: string;
  /** Whether stdin, stdout and stderr are terminals. */
  isTerminal?: boolean;
  signal?: AbortSignal;
}

export async function runCommand(argv: readonly string[], input: CommandInput = {}): Promise<CommandResult> {
  const { env = {}, stdin = '', isTerminal = false, signal = new AbortController().signal } = input;
  const [stdout, stderr] = [new Captured(isTerminal), new Captured(isTerminal)];
  const io: Io = {
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY: isTerminal }),
    stdout,
    stderr,
    env,
    signal,
    version: '1.0.0',
    pages: '',
  };
  const exitCode = await run(argv, io);
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

export function commandOn(on: TestService, key: string, projectId: string) {
  const env = { SIGNPOST_URL: on.url, SIGNPOST_API_KEY: key, SIGNPOST_PROJECT: projectId };
  return (argv: readonly string[], input: CommandInput = {}): Promise<CommandResult> =>
    runCommand(argv, { ...input, env: { ...env, ...input.env } });
}

interface Commands {
  on: TestService;
  key: string;
  project: ProjectBody;
  /** Runs a command for the project. */
  signpost: ReturnType<typeof commandOn>;
}

/** Starts a service for the commands of a file, with a project of an account. */
export function useCommands(plan?: Parameters<TestService['anAccount']>[0]): Commands {
  const all = {} as Commands;
  beforeAll(async () => {
    const on = await aService();
    const { key } = await on.anAccount(plan);
    const project = await aProject(on, key);
    Object.assign(all, { on, key, project, signpost: commandOn(on, key, project.id) });
  });
  afterAll(() => all.on.stop());
  return all;
}

export const jsonOf = <T = Record<string, unknown>>({ stdout, stderr }: CommandResult): T => {
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as T;
};

/** Returns the lines of an output, each of which is JSON. */
export const rowsOf = <T>({ stdout }: CommandResult): T[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

class Captured extends PassThrough {
  text = '';
  readonly columns = 100;

  constructor(readonly isTTY: boolean) {
    super();
    this.on('data', (chunk: Buffer) => (this.text += chunk.toString('utf8')));
  }
}
