import { anIosApp, aProject } from '../../support/builders';
import { type CommandResult, commandOn, jsonOf, rowsOf, useCommands } from './command-run';

const all = useCommands('enterprise');

async function aCommand() {
  const { on, key } = all;
  const { id: projectId } = await aProject(on, key);
  const signpost = commandOn(on, key, projectId);
  const apply = (yaml: string, ...options: string[]): Promise<CommandResult> =>
    signpost(['apply', '-f', '-', ...options], { stdin: yaml });
  return { projectId, signpost, apply };
}

const two = `
links:
  web-a: { name: A, custom_path: a, desktop_url: "https://Example.com" }
  web-b: { name: B, custom_path: b, tags: [Summer, Mail], referrer_params: {} }
`;

test('a dry run in a pipeline tells changes from none, and changes nothing', async () => {
  const { signpost, apply } = await aCommand();
  const dry = await apply(two, '--dry-run');
  expect(dry).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('Plan: 2 to create, 0 to update') });
  expect(dry.stdout).toMatch(
    /^\+ web-a\n {4}name: "A"\n {4}custom_path: "a"\n {4}desktop_url: "https:\/\/Example.com"\n\+ web-b\n/,
  );
  expect(jsonOf(await signpost(['links', 'list', '--json']))).toMatchObject({ data: [] });
  expect((await apply(two)).exitCode).toBe(2);
  expect((await apply(two, '--yes')).exitCode).toBe(0);
  const again = await apply(two, '--dry-run');
  expect(again).toMatchObject({ exitCode: 0, stdout: 'Plan: 0 to create, 0 to update, 0 to delete, 2 unchanged.\n' });
});

test('an absent field is cleared, and an absent path stays', async () => {
  const { signpost, apply } = await aCommand();
  await apply('links: { x: { name: X, custom_path: x, title: T, archived: true, tags: [A] } }', '--yes');
  const changed = await apply('links: { x: { name: Y } }', '--yes', '--json');
  expect(jsonOf(changed)).toMatchObject({
    applied: true,
    made: 1,
    plan: { create: 0, update: 1, changes: [{ action: 'update', external_id: 'x' }] },
  });
  expect(jsonOf(await signpost(['links', 'get', 'external:x', '--json']))).toMatchObject({
    name: 'Y',
    custom_path: 'x',
    title: null,
    archived: false,
    tags: [],
  });
});

test('only --prune deletes, only in the scope, and only links with an external id', async () => {
  const { signpost, apply } = await aCommand();
  await apply(two, '--yes');
  await signpost(['links', 'create', '--name', 'By hand']);
  await signpost(['links', 'create', '--name', 'Of the CRM', '--external-id', 'crm-1']);
  const one = 'scope: web-\nlinks: { web-a: { name: A, custom_path: a, desktop_url: "https://example.com/" } }';
  expect((await apply(one, '--yes')).stdout).toContain('0 to delete, 1 unchanged');
  const pruned = await apply(one, '--yes', '--prune');
  expect(pruned).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^- web-b {2}"B"\n\nPlan: .* 1 to delete/),
  });
  const kept = jsonOf(await signpost(['links', 'list', '--json', '--sort-by', 'name']));
  expect(kept).toMatchObject({ data: [{ name: 'Of the CRM' }, { name: 'By hand' }, { name: 'A' }] });
  expect((await apply('links: {}', '--yes', '--prune')).exitCode).toBe(2);
});

test('links exchange their paths in one run', async () => {
  const { signpost, apply } = await aCommand();
  const yaml = (paths: Record<string, string>) =>
    JSON.stringify({
      links: Object.fromEntries(Object.entries(paths).map(([id, path]) => [id, { name: id, custom_path: path }])),
    });
  const pathsOf = async () => {
    const exported = await signpost(['export', '--format', 'ndjson']);
    const links = rowsOf<{ name: string; custom_path: string }>(exported);
    return Object.fromEntries(links.map(({ name, custom_path: path }) => [name, path]));
  };
  await apply(yaml({ a: 'one', b: 'two', c: 'three', d: 'four', e: 'five' }), '--yes');
  const exchanged = { a: 'two', b: 'one', c: 'four', d: 'five', e: 'three' };
  const applied = await apply(yaml(exchanged), '--yes');
  expect(applied).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('5 to update') });
  expect(await pathsOf()).toEqual(exchanged);

  await signpost(['links', 'create', '--name', 'f', '--custom-path', 'taken']);
  const refused = await apply(yaml({ a: 'one', b: 'two', g: 'taken' }), '--yes');
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^g: CUSTOM_PATH_EXISTS: /) });
  expect(refused.stderr).toContain('0 changes of 3 were made before.');
  expect(await pathsOf()).toEqual({ ...exchanged, f: 'taken' });
});

test('a change that is refused leaves all others undone, and names the link', async () => {
  const { signpost, apply } = await aCommand();
  await signpost(['links', 'create', '--name', 'By hand', '--custom-path', 'taken']);
  const refused = await apply('links: { a: { name: A }, b: { name: B, custom_path: taken } }', '--yes');
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^b: CUSTOM_PATH_EXISTS: /) });
  expect(refused.stderr).toContain('0 changes of 2 were made before.');
  expect(jsonOf<{ data: unknown[] }>(await signpost(['links', 'list', '--json'])).data).toHaveLength(1);
  const again = await apply('links: { a: { name: A }, b: { name: B, custom_path: taken } }', '--yes', '--json');
  expect(again.exitCode).toBe(1);
  expect(jsonOf(again)).toMatchObject({ plan: { create: 2 }, applied: false, made: 0 });
});

test('apps are named by their bundle ids, and a missing one is reported', async () => {
  const { projectId, signpost, apply } = await aCommand();
  const { id } = await anIosApp(all.on, all.key, projectId, { bundle_id: 'com.example.Shop' });
  const yaml =
    'defaults: { ios_bundle_id: com.example.shop }\nlinks: { a: { name: A }, b: { name: B, ios_bundle_id: null } }';
  expect((await apply(yaml, '--yes')).exitCode).toBe(0);
  expect(jsonOf(await signpost(['links', 'get', 'external:a', '--json']))).toMatchObject({ ios_app_id: id });
  expect(jsonOf(await signpost(['links', 'get', 'external:b', '--json']))).toMatchObject({ ios_app_id: null });
  expect((await apply(yaml, '--dry-run')).exitCode).toBe(0);
  const missing = await apply('links: { a: { name: A, android_package_name: com.example.none } }', '--yes');
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('com.example.none') });
});

test('more links than are read one by one are compared by an export, in several requests', async () => {
  const { apply } = await aCommand();
  const links = Object.fromEntries(Array.from({ length: 1005 }, (_, at) => [`id-${at}`, { name: `Link ${at}` }]));
  const json = JSON.stringify({ links });
  for (const [option, plan] of Object.entries({ '--yes': '1005 to create', '--dry-run': '1005 unchanged' }))
    expect(await apply(json, option)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(plan) });
});
