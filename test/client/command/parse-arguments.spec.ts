import { nearest } from '../../../clients/typescript/src/command/parse-arguments';
import { commands } from '../../../clients/typescript/src/command/commands';
import { optionsOf } from '../../../clients/typescript/src/command/command';
import { exitCodes } from '../../../clients/typescript/src/command/exit-codes';
import { baseUrlOf } from '../../../clients/typescript/src/command/settings';
import { runCommand } from './command-run';

const env = {
  SIGNPOST_URL: 'http://127.0.0.1:1',
  SIGNPOST_API_KEY: 'svc_live_x',
  SIGNPOST_PROJECT: '0198c0de-7e57-7000-8000-000000000001',
};

test.each([
  [[], 'Usage: signpost COMMAND'],
  [['nothing'], 'There is no command "nothing"; see signpost --help.'],
  [['link', 'list'], 'did you mean links list?'],
  [['links'], 'did you mean links create?'],
  [['links', 'list', '--limt', '5'], 'There is no option --limt; did you mean --limit?'],
  [['links', 'list', '--limit'], "Option '--limit <value>' argument missing."],
  [['links', 'list', '--json=yes'], "Option '--json' does not take an argument."],
  [['links', 'list', '--limit', '101'], '--limit must be a whole number from 1 to 100.'],
  [['links', 'list', '--limit', '1e1'], '--limit must be a whole number'],
  [['links', 'update', 'external:a', '--click-limit', '0'], '--click-limit must be a whole number from 1 to 2147'],
  [['restore', '1e3', '--yes'], '1e3 is not the number of an entry'],
  [['links', 'list', '--sort-by', 'click'], '--sort-by must be one of name, custom_path, created_at, updated_at,'],
  [['links', 'list', 'all'], 'The argument "all" is one too many'],
  [['links', 'get'], 'LINK is missing; see signpost links get --help.'],
  [['links', 'get', 'summer'], '"summer" must be the id of a link, or external:ID'],
  [['links', 'update', 'external:a'], 'No field is named'],
  [['links', 'update', 'external:a', '--clear', 'name'], '--clear must be one of desktop_url,'],
  [['links', 'update', 'external:a', '--archived', 'yes'], '--archived must be one of true, false.'],
  [['links', 'create', '--referrer-param', '=x'], '--referrer-param must be NAME=VALUE.'],
  [['links', 'create', '--data', '-'], '- is no JSON'],
  [['import'], 'Name one FILE, or --resume IMPORT'],
  [['import', 'a.csv', '--resume', 'x'], 'Name one FILE, or --resume IMPORT'],
  [['import', 'a.csv'], 'The command cannot ask, because stdin is no terminal; add --yes.'],
  [['import', 'links', '--yes'], 'The form of links is unknown; add --format csv, json, ndjson.'],
  [['import', 'a.csv', '--source', 'other'], '--source must be one of firebase-dynamic-links,'],
  [['apply'], 'A file is missing; add -f FILE.'],
  [['completion', 'tcsh'], 'SHELL must be one of bash, zsh, fish.'],
  [['links', 'list', '--key', 'a', '--key-file', 'b'], '--key and --key-file exclude each other'],
  [['links', 'list', '--key', 'a b'], 'The API key has characters that no key has'],
  [['links', 'list', '--url', 'api.example.com'], 'must be an http or https URL'],
  [['links', 'list', '--url', 'https://u:p@example.com'], 'must have no user name'],
] as const)('%j is refused with exit code 2', async (argv, message) => {
  const { exitCode, stdout, stderr } = await runCommand(argv, { env, stdin: 'no json' });
  expect({ exitCode, stdout }).toEqual({ exitCode: exitCodes.usage, stdout: '' });
  expect(stderr).toContain(message);
});

test.each(['SIGNPOST_URL', 'SIGNPOST_API_KEY', 'SIGNPOST_PROJECT'])('a missing %s is named', async (name) => {
  const { exitCode, stderr } = await runCommand(['links', 'list'], { env: { ...env, [name]: '' } });
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(name) });
});

test('a failure of the command line is JSON on stderr with --json', async () => {
  const { stderr } = await runCommand(['links', 'list', '--json', '--limit', '0'], { env });
  expect(JSON.parse(stderr)).toEqual({ error: { code: null, message: expect.stringContaining('--limit') } });
});

test.each(commands.map((command) => [command.name, command] as const))(
  'signpost %s --help has every option',
  async (name, command) => {
    const asked = await runCommand([...name.split(' '), '--help']);
    expect(asked).toMatchObject({ exitCode: 0, stderr: '' });
    for (const option of Object.keys(optionsOf(command))) expect(asked.stdout).toContain(`--${option}`);
    expect((await runCommand(['help', ...name.split(' ')])).stdout).toBe(asked.stdout);
    expect(asked.stdout).toContain(`Usage: signpost ${name}`);
  },
);

test('the overview has every command and exit code, and the version is one line', async () => {
  const { exitCode, stdout } = await runCommand(['--help']);
  expect(exitCode).toBe(0);
  for (const { name, summary } of commands) expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
  for (const code of Object.values(exitCodes)) expect(stdout).toMatch(new RegExp(`^  ${code} +\\S`, 'm'));
  expect(await runCommand(['--version'])).toEqual({ exitCode: 0, stdout: 'signpost 1.0.0\n', stderr: '' });
});

test.each([
  ['https://api.example.com', 'https://api.example.com/api/v1'],
  ['https://api.example.com/', 'https://api.example.com/api/v1'],
  ['https://api.example.com/api/v1/', 'https://api.example.com/api/v1'],
  ['http://localhost:3000/links', 'http://localhost:3000/links/api/v1'],
])('the address %s is the base %s', (address, base) => expect(baseUrlOf(address)).toBe(base));

test.each([
  ['limt', 'limit'],
  ['exprot', 'export'],
  ['x', null],
  ['something', null],
])('the nearest name to %s is %s', (wanted, name) => expect(nearest(wanted, ['limit', 'export', 'page'])).toBe(name));
