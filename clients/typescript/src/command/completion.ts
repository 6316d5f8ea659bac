import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { renderCompletion, type Shell, shells } from './completion-scripts.js';

/** @param commands of the whole program, with this one */
export const completion = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'print a script that completes command lines',
  description: 'The examples say how each shell loads it.',
  positionals: [{ name: 'SHELL', choices: shells }],
  isReadOnly: true,
  options: {},
  isLocal: true,
  examples: [
    'source <(signpost completion bash)',
    'signpost completion zsh > "${fpath[1]}/_signpost"',
    'signpost completion fish > ~/.config/fish/completions/signpost.fish',
  ],
  async run(context) {
    const shell = context.args.positionals[0] as Shell;
    context.print(renderCompletion(shell, commands()));
    return exitCodes.done;
  },
});
