import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { UsageFailure } from './failures.js';
import { linesOf } from './lines.js';
import { McpServer } from './mcp-server.js';
import { Session, tools } from './mcp-tools.js';
import { readSettings } from './settings.js';

export const mcp: Command = {
  name: 'mcp',
  summary: 'serve agents by the Model Context Protocol on stdin and stdout',
  description:
    'An agent starts the command, and reads projects, links, apps, domains and statistics by its tools. With --write it can also create ' +
    'and update them: each change is a plan first, and happens once the agent confirms it. It deletes nothing.',
  options: { write: { help: 'offer the tools that change something' } },
  examples: ['signpost mcp', 'signpost mcp --write --project summer'],
  async run({ io, args }) {
    if (args.text('key-file') === '-') throw new UsageFailure('stdin has the messages; use another --key-file.');
    const session = new Session(io, await readSettings(io, args, { isProjectOptional: true }));
    const server = new McpServer(io, session, tools, { canWrite: args.flag('write') });
    io.signal.addEventListener('abort', () => io.stdin.destroy());
    for await (const { text } of linesOf(io.stdin)) {
      const answer = await server.answer(text);
      if (answer) io.stdout.write(`${JSON.stringify(answer)}\n`);
    }
    return exitCodes.done;
  },
};
