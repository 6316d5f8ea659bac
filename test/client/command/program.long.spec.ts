import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { parse } from 'yaml';
import { anAndroidApp, anIosApp, aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { readPage } from '../../support/pages';
import { aFolder } from './folder';
import { serviceFixture } from '../../support/fixtures';

const folder = aFolder();
const program = folder.file('dist/command/main.js');
const on = serviceFixture();
let key: string;
let env: Record<string, string>;

/** Bundles the command, so that the spec needs no build, and puts it where the package has it. */
beforeAll(async () => {
  const bundle = await rolldown({
    input: join(__dirname, '../../../clients/typescript/src/command/main.ts'),
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  await bundle.write({ file: program, format: 'esm', codeSplitting: false });
  await bundle.close();
  mkdirSync(folder.file('dist'), { recursive: true });
  writeFileSync(folder.file('package.json'), '{"type":"module","version":"1.2.3"}');
  ({ key } = await on.anAccount());
  const { id } = await aProject(on, key);
  env = { SIGNPOST_URL: on.url, SIGNPOST_API_KEY: key, SIGNPOST_PROJECT: id };
});

/** Starts the command. Without `input`, its stdin stays open. */
function start(args: readonly string[], input?: string, cwd?: string) {
  const child = spawn(process.execPath, [program, ...args], { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  if (input !== undefined) child.stdin.end(input);
  const exit = once(child, 'close').then(([code]: unknown[]) => ({ code: code as number | null, stdout, stderr }));
  return { child, stdout: () => stdout, exit };
}

test('the program reads stdin, prints results and ends with its exit code', async () => {
  expect(await start(['--version']).exit).toEqual({ code: 0, stdout: 'signpost 1.2.3\n', stderr: '' });
  const links = 'links: { a: { name: A, custom_path: a } }';
  expect((await start(['apply', '-f', '-', '--dry-run'], links).exit).code).toBe(3);
  expect(await start(['apply', '-f', '-', '--yes'], links).exit).toMatchObject({
    code: 0,
    stderr: 'Done: 1 create, 0 update, 0 delete, 0 unchanged.\n',
  });
  const { code, stdout } = await start(['export', '--format', 'ndjson']).exit;
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { external_id: 'a', custom_path: 'a' }]);
});

test('an interruption ends the program while it waits for input', async () => {
  const running = start(['bulk', '--json']);
  const operation = `${JSON.stringify({ op: 'create', link: { name: 'One' } })}\n`;
  // A thousand operations are a request, after which the program waits for more.
  running.child.stdin.write(operation.repeat(1001));
  await eventually(() => running.stdout().includes('"status":201'));
  running.child.kill('SIGINT');
  expect((await running.exit).code).toBe(130);
});

test('a reader that has enough ends the program quietly', async () => {
  const running = start(['links', 'list', '--json']);
  running.child.stdout.destroy();
  expect(await running.exit).toMatchObject({ code: 0, stderr: '' });
});

test('changes go on without a reader of the output', async () => {
  const running = start(['apply', '-f', '-', '--yes'], 'links: { unread: { name: Unread } }');
  running.child.stdout.destroy();
  running.child.stderr.destroy();
  expect((await running.exit).code).toBe(0);
  expect((await start(['links', 'get', 'external:unread', '--json']).exit).code).toBe(0);
});

test('the pipeline of an Expo app checks its build and records it', async () => {
  const [, workflow] = /^```yaml\n([^]*?)```$/m.exec(readPage('docs/released-apps.md'))!;
  const { jobs } = parse(workflow!) as { jobs: { links: { steps: { run?: string }[] } } };
  const commands = jobs.links.steps.flatMap(({ run }) =>
    run?.startsWith('signpost ') ? [run.split(' ').slice(1)] : [],
  );
  expect(commands.map(([, verb]) => verb)).toEqual(['check', 'release']);
  const [, build] = /^```json\n(\{\n {2}"expo"[^]*?)```$/m.exec(readPage('docs/apps/expo.md'))!;
  const { id, subdomain } = await aProject(on, key);
  env = { ...env, SIGNPOST_PROJECT: id };
  mkdirSync(folder.file('expo'));
  const write = (host: string) =>
    writeFileSync(
      folder.file('expo/app.json'),
      build!.replaceAll(/[\w-]+\.go\.example\.com/g, (name) =>
        name.includes('-open') ? `${subdomain}-open.localhost` : host,
      ),
    );
  const pipeline = async (): Promise<(number | null)[]> => {
    const codes: (number | null)[] = [];
    for (const command of commands) {
      if (codes.some((code) => code !== 0)) break;
      codes.push((await start(command, '', folder.file('expo')).exit).code);
    }
    return codes;
  };
  write(`${subdomain}.localhost`);
  expect(await pipeline()).toEqual([1]);
  await anIosApp(on, key, id, { bundle_id: 'com.example.shop' });
  await anAndroidApp(on, key, id, { package_name: 'com.example.shop' });
  expect(await pipeline()).toEqual([0, 0]);
  const recorded = await on.database.query('SELECT version FROM app_releases WHERE project_id = $1', [id]);
  expect(recorded).toEqual([{ version: '1.2.3' }, { version: '1.2.3' }]);
  write('gone.example.com');
  expect(await pipeline()).toEqual([1]);
  writeFileSync(folder.file('expo/app.json'), '{');
  expect(await pipeline()).toEqual([2]);
});
