/** @needs bash */
import { spawnSync } from 'node:child_process';
import { runCommand } from './command-run';

const scriptOf = async (shell: string): Promise<string> => (await runCommand(['completion', shell])).stdout;

let bashScript: string;
beforeAll(async () => {
  bashScript = await scriptOf('bash');
});

/** Completes the last word of a command line in bash. */
function complete(words: readonly string[]): string[] {
  const program = `${bashScript}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _signpost; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8', cwd: '/' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

test.each([
  [['signpost', 'e'], ['export']],
  [['signpost', 'links', 'u'], ['update']],
  [
    ['signpost', 'links', 'list', '--ex'],
    ['--exclude-tag', '--external-id'],
  ],
  [['signpost', 'links', 'list', '--archived', 'a'], ['any']],
  [
    ['signpost', 'export', '--format', ''],
    ['csv', 'ndjson', 'signpost'],
  ],
  [
    ['signpost', 'import', '--source', 'sh'],
    ['short-io', 'shlink'],
  ],
  [['signpost', 'links', 'list', '--search', 'e'], []],
  [['signpost', 'completion', 'z'], ['zsh']],
  [['signpost', 'apply', '-f', '/et'], ['/etc']],
  [['signpost', 'unknown', ''], []],
])('bash completes %j', (words, expected) => expect(complete(words).sort()).toEqual([...expected].sort()));

test.each([
  ['zsh', ['#compdef signpost', "'links list')", "'--format[csv by default]:FORMAT:(csv ndjson signpost)'"]],
  ['fish', ["-a list -d 'list links'", "-l format -x -a 'csv ndjson signpost'", '-l file -s f -r -F']],
])('the script of %s has commands, options and choices', async (shell, parts) => {
  const script = await scriptOf(shell);
  for (const part of parts) expect(script).toContain(part);
});
