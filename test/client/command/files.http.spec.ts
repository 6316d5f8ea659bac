import { existsSync, readdirSync } from 'node:fs';
import { lstat, mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { bulkLimits } from '../../../clients/typescript/src/command/batches';
import { ImportBatchService } from '../../../src/imports/work/import-batch.service';
import { anAndroidApp, anIosApp, aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { startImports } from '../../support/imports';
import { otherServers } from './another-server';
import { commandOn, jsonOf, rowsOf, runCommand, useCommands } from './command-run';
import { aFolder } from './folder';
import { fixture } from '../../support/fixtures';

const all = useCommands('enterprise');
const worker = fixture(() => startImports(all.on));
const usual = { ...bulkLimits };
beforeEach(() => Object.assign(bulkLimits, { operations: 100 }));
afterEach(() => Object.assign(bulkLimits, usual));
const folder = aFolder();
const aServer = otherServers();

const aCommand = async () => {
  const { on, key } = all;
  const { id } = await aProject(on, key);
  return Object.assign(commandOn(on, key, id), { projectId: id });
};

test('a large file with a wrong key is an error of the key, not of the connection', async () => {
  const signpost = await aCommand();
  const file = folder.file('large.ndjson');
  await writeFile(file, `{"name":"${'x'.repeat(998)}"}\n`.repeat(20_000));
  const refused = await signpost(['import', file, '--yes', '--key', 'svc_live_wrong']);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('UNAUTHORIZED') });
});

test('an export that is imported into an empty project is exported again equally', async () => {
  const [from, into] = [await aCommand(), await aCommand()];
  const apps = { bundle_id: 'com.example.moved', package_name: 'com.example.moved' };
  for (const { projectId } of [from, into]) {
    await anIosApp(all.on, all.key, projectId, { bundle_id: apps.bundle_id });
    await anAndroidApp(all.on, all.key, projectId, { package_name: apps.package_name });
  }
  const links = `
links:
  a: { name: "=1+1", custom_path: a/b, desktop_url: "https://example.com/ä", ios_bundle_id: COM.example.moved, tags: [X, y] }
  "ü /?#": { name: "Zwei 🎉", archived: true, disabled: true, notes: "two\\nlines", android_package_name: com.example.moved }
  c: { name: Three, referrer_params: { utm_source: mail, "1": one }, social_title: "T", ios_deferred_deep_link: true }
`;
  expect((await from(['apply', '-f', '-', '--yes'], { stdin: links })).exitCode).toBe(0);

  const file = folder.file('first.ndjson');
  expect((await from(['export', '--format', 'signpost', '-o', file])).exitCode).toBe(0);
  const imported = await into(['import', file, '--yes', '--json']);
  expect(imported.exitCode).toBe(0);
  expect(jsonOf(imported)).toMatchObject({ data: { state: 'completed', counts: { created: 3 } }, problems: [] });
  const again = await into(['export', '--format', 'signpost']);
  expect(again.stdout).toBe(await readFile(file, 'utf8'));
  expect(again.stdout.trimEnd().split('\n')).toHaveLength(3);
});

test('a dry run shows rows at fault, saves the report, and leaves no open import', async () => {
  const signpost = await aCommand();
  const [file, report] = [folder.file('links.csv'), folder.file('report.csv')];
  const rows = ['one,https://example.com,,com.example.lost,red', 'bad path,https://example.com,,,'];
  await writeFile(file, ['Slug,Target,Extra,App,Colour', ...rows, ''].join('\n'));
  const columns = JSON.stringify({ Slug: 'custom_path', Target: 'desktop_url', Extra: null, App: 'ios_bundle_id' });
  const options = ['--source', 'csv', '--columns', columns, '--dry-run', '--report', report];
  const { exitCode, stdout } = await signpost(['import', file, ...options]);
  expect(exitCode).toBe(4);
  expect(stdout).toMatch(/^Dry run\nOUTCOME +ROWS\ncreated +1\n[^]*refused +1\nall +2\n/);
  expect(stdout).toMatch(/ROW +OUTCOME +FIELD +REASON\n2 +refused +Slug +\S/);
  expect(stdout).toMatch(/MISSING APP +PLATFORM +ROWS\ncom.example.lost +ios +1\n/);
  expect(stdout).toMatch(/FIELD WITHOUT A PLACE +ROWS +FOR EXAMPLE\nColour +1 +red\n/);
  expect(await readFile(report, 'utf8')).toContain('bad path');
  expect(jsonOf(await signpost(['links', 'list', '--json']))).toMatchObject({ data: [] });
  const imports = await all.on.api('get', `/projects/${signpost.projectId}/imports`, all.key).expect(200);
  expect(imports.body).toMatchObject({ data: [{ state: 'cancelled' }] });
});

test('an import asks on a terminal and runs with progress', async () => {
  const signpost = await aCommand();
  const file = folder.file('asked.ndjson');
  await writeFile(file, '{"name":"One","custom_path":"one"}\n');
  const declined = await signpost(['import', file], { isTerminal: true, stdin: 'n\n' });
  expect(declined).toMatchObject({ exitCode: 6, stdout: expect.stringContaining('created') });
  const accepted = await signpost(['import', file], { isTerminal: true, stdin: 'yes\n' });
  expect(accepted).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('Create 1 link and replace 0? [y/N]'),
  });
  expect((await signpost(['import', file])).exitCode).toBe(2);
  const again = await signpost(['import', '-', '--format', 'ndjson', '--yes'], { stdin: await readFile(file, 'utf8') });
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Dry run\n[^]*unchanged +1\n/) });
});

test('with the policy fail, conflicts keep the import from running', async () => {
  const signpost = await aCommand();
  await signpost(['links', 'create', '--name', 'Other', '--custom-path', 'one']);
  const rows = '{"name":"One","custom_path":"one"}\n{"name":"Two","custom_path":"two"}\n';
  const options = ['--conflict', 'fail', '--format', 'ndjson', '--yes'];
  const blocked = await signpost(['import', '-', ...options], { stdin: rows });
  expect(blocked).toMatchObject({ exitCode: 4, stdout: expect.stringContaining('Nothing is run') });
  expect(jsonOf<{ data: unknown[] }>(await signpost(['links', 'list', '--json'])).data).toHaveLength(1);
});

test('a file that cannot be read is an error of the file', async () => {
  const signpost = await aCommand();
  const file = folder.file('missing.csv');
  const directory = folder.file('folder.csv');
  await mkdir(directory);
  for (const [path, reason] of Object.entries({
    [file]: `ENOENT: no such file or directory, open '${file}'`,
    [directory]: 'it is a folder',
  })) {
    const stderr = `signpost: ${path} cannot be read: ${reason}\n`;
    expect(await signpost(['import', path, '--yes'])).toEqual({ exitCode: 1, stdout: '', stderr });
  }
});

test('an interruption during the dry run cancels the import', async () => {
  const signpost = await aCommand();
  const controller = new AbortController();
  // The dry run comes to no end before it is cancelled.
  const batch = worker.context.get(ImportBatchService, { strict: false });
  const held = jest.spyOn(batch, 'run').mockImplementation(() => sleep(20, { rows: 0, hasMore: true }));
  const stdin = '{"name":"A link"}\n';
  const running = signpost(['import', '-', '--format', 'ndjson', '--yes'], { stdin, signal: controller.signal });
  const imports = () => all.on.api('get', `/projects/${signpost.projectId}/imports`, all.key).expect(200);
  const stateOf = async () => ((await imports()).body as { data: { state: string }[] }).data[0]?.state;
  await eventually(async () => (await stateOf()) === 'checking');
  controller.abort();
  expect((await running).exitCode).toBe(130);
  held.mockRestore();
  expect(await stateOf()).toBe('cancelled');
});

test('operations of a file run in several requests, and failures name their lines', async () => {
  const signpost = await aCommand();
  const created = Array.from({ length: 130 }, (_, at) => ({ op: 'create', link: { name: `Link ${at}` } }));
  const operations: object[] = [...created, { op: 'create', link: { name: '' } }, { op: 'delete', id: 'x' }];
  const file = folder.file('operations.ndjson');
  await writeFile(file, operations.map((operation) => `${JSON.stringify(operation)}\r\n\r\n`).join(''));
  const result = await signpost(['bulk', file, '--idempotency-key', 'file-1']);
  expect(result).toMatchObject({ exitCode: 4, stdout: '' });
  expect(result.stderr).toMatch(/^Line 261: INVALID_INPUT: [^]*\n {2}link\.name: [^]*Line 263: /);
  expect(result.stderr).toContain('130 operations succeeded, 2 failed');
  const repeated = await signpost(['bulk', file, '--idempotency-key', 'file-1', '--json']);
  const lines = rowsOf(repeated);
  expect(lines).toHaveLength(132);
  expect([lines[0], lines.at(-1)]).toMatchObject([
    { line: 1, status: 201 },
    { line: 263, data: null },
  ]);
  const { pagination } = jsonOf<{ pagination: object }>(await signpost(['links', 'list', '--json']));
  expect(pagination).toMatchObject({ total: 130 });
});

test('atomic operations stop at the first request that fails', async () => {
  const signpost = await aCommand();
  const stdin = '{"op":"create","link":{"name":"Fine"}}\n{"op":"create","link":{}}\n';
  const refused = await signpost(['bulk', '--atomic'], { stdin });
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^Line 2: INVALID_INPUT[^]*BULK_REFUSED/),
  });
  expect(refused.stderr).toContain('Stopped at the first request; 0 operations were run before.');
  expect((await signpost(['bulk'], { stdin: 'no json' })).exitCode).toBe(2);
});

test.each([
  ['is no JSON', '{"op":'],
  ['must be a JSON object', '[]'],
])('a line that %s stops the file, and the operations before it are counted', async (fault, line) => {
  const signpost = await aCommand();
  const created = Array.from({ length: 98 }, (_, at) => ({ op: 'create', link: { name: `Link ${at}` } }));
  const refused = { op: 'create', link: { name: '' } };
  const request = [...created, refused, refused].map((operation) => JSON.stringify(operation));
  const stopped = await signpost(['bulk'], { stdin: [...request, request[0], line, request[1]].join('\n') });
  expect(stopped).toMatchObject({ exitCode: 4, stdout: '' });
  expect(stopped.stderr).toContain('Stopped after line 100; 100 operations were run before, and 2 of them failed.\n');
  expect(stopped.stderr).toContain(`signpost: Line 102 ${fault}`);
  const { pagination } = jsonOf<{ pagination: object }>(await signpost(['links', 'list', '--json']));
  expect(pagination).toMatchObject({ total: 98 });
  const unsent = await signpost(['bulk'], { stdin: `${request[0]}\n${line}\n` });
  expect(unsent).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('; 0 operations were run before.\n') });
});

test('an export that cannot be written leaves no file', async () => {
  const signpost = await aCommand();
  await signpost(['links', 'create', '--name', 'One']);
  const file = folder.file('absent/export.csv');
  expect((await signpost(['export', '-o', file])).exitCode).toBe(1);
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(dirname(dirname(file))).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect((await signpost(['export', '--json'])).exitCode).toBe(2);
  expect((await signpost(['export'])).stdout).toMatch(/^\ufeffid,name,[^]*,One,/);
});

test('an export replaces a file, and nothing else', async () => {
  const signpost = await aCommand();
  await signpost(['links', 'create', '--name', 'One']);
  const [file, link, device] = [folder.file('kept.csv'), folder.file('link.csv'), folder.file('null')];
  await writeFile(file, 'before', { mode: 0o600 });
  await symlink(file, link);
  await symlink('/dev/null', device);
  expect((await signpost(['export', '-o', link])).exitCode).toBe(0);
  expect([(await lstat(link)).isSymbolicLink(), (await lstat(file)).mode & 0o777]).toEqual([true, 0o600]);
  expect(await readFile(file, 'utf8')).toContain(',One,');
  expect((await signpost(['export', '-o', device])).exitCode).toBe(0);
  expect([(await lstat(device)).isSymbolicLink(), await readFile(device, 'utf8')]).toEqual([true, '']);
  const full = folder.file('full');
  await symlink('/dev/full', full);
  const failed = await signpost(['export', '-o', full]);
  expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('full cannot be written: ENOSPC') });
});

test('an upload takes no more memory than its part that is on the way', async () => {
  const bytes = 32_000_000;
  const file = folder.file('huge.ndjson');
  await writeFile(file, '');
  await truncate(file, bytes);
  let [received, held] = [0, 0];
  const server = await aServer((request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () => {
      collectGarbage();
      held = process.memoryUsage().arrayBuffers;
      response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":{"code":"X","message":"Full"}}');
    });
  });
  const project = '0198c0de-7e57-7000-8000-000000000001';
  const before = process.memoryUsage().arrayBuffers;
  const env = { SIGNPOST_URL: server, SIGNPOST_API_KEY: 'k', SIGNPOST_PROJECT: project };
  expect((await runCommand(['import', file, '--yes'], { env })).stderr).toContain('Full');
  expect(received).toBe(bytes);
  expect(held - before).toBeLessThan(bytes / 2);
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) collect();
}
