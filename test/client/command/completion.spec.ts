/** @needs bash */
import { spawnSync } from 'node:child_process';
import { runCommand } from './command-run';

const scriptOf = async (shell: string): Promise<string> => (await runCommand(['completion', shell])).stdout;

/** Completes the last word of a command line in bash. */
async function complete(words: readonly string[]): Promise<string[]> {
  const program = `${await scriptOf('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _signpost; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8', cwd: '/' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

test.each([
  ['e', 'export'],
  ['links u', 'update'],
  ['links list --ex', '--exclude-tag --external-id'],
  ['links list --archived a', 'any'],
  ['export --format ', 'csv ndjson signpost'],
  ['import --source sh', 'shlink short-io'],
  ['links list --search e', ''],
  ['completion z', 'zsh'],
  ['apply -f /et', '/etc'],
  ['unknown ', ''],
])('bash completes signpost %s', async (words, expected) => {
  const completed = await complete(['signpost', ...words.split(' ')]);
  expect(completed.sort().join(' ')).toBe(expected);
});

test.each([
  ['zsh', ['#compdef signpost', "'links list')", "'--format[csv by default]:FORMAT:(csv ndjson signpost)'"]],
  ['fish', ["-a list -d 'list links'", "-l format -x -a 'csv ndjson signpost'", '-l file -s f -r -F']],
])('the script of %s has commands, options and choices', async (shell, parts) => {
  const script = await scriptOf(shell);
  for (const part of parts) expect(script).toContain(part);
});
