import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { aProject } from '../../support/builders';
import { startImports } from '../../support/imports';
import { otherServers } from './another-server';
import { commandOn, useCommands } from './command-run';

const all = useCommands();
beforeAll(() => startImports(all.on));
const aServer = otherServers();

/** A request to the service, by its method and its path below the project. */
interface Passing {
  route: string;
  /** Passes the request on. The answer reaches the command unless it is lost. */
  forward: (options?: { isLost: boolean }) => Promise<void>;
  lose: () => void;
  refuse: () => void;
  interrupt: () => void;
}

/** Runs an import of one link through a proxy, and returns the result with the import that the service has then. */
async function anImport(pass: (passing: Passing) => unknown) {
  const { on, key } = all;
  const { id: projectId } = await aProject(on, key);
  const controller = new AbortController();
  const routes: string[] = [];
  const url = await aServer((request, response) => {
    const path = request.url!.split(`${projectId}/`)[1]!.replace(/[0-9a-f-]{36}/, 'ID');
    const route = `${request.method} ${path}`;
    routes.push(route);
    const lose = () => void response.destroy();
    const forward = async ({ isLost } = { isLost: false }) => {
      const { status, headers, body } = await answerTo(request);
      if (isLost) lose();
      else response.writeHead(status, headers).end(body);
    };
    pass({
      route,
      forward,
      lose,
      refuse: () => void response.writeHead(500).end(),
      interrupt: () => controller.abort(),
    });
  });
  const input = { stdin: '{"name":"A link"}\n', env: { SIGNPOST_URL: url }, signal: controller.signal };
  const result = await commandOn(on, key, projectId)(['import', '-', '--format', 'ndjson', '--yes'], input);
  const { body } = await on.api('get', `/projects/${projectId}/imports`, key).expect(200);
  const [job] = body.data as { id: string; state: string }[];
  return { ...result, ...job!, isCancelled: routes.includes('POST imports/ID/cancel') };
}

async function answerTo(request: IncomingMessage) {
  const { authorization = '', 'content-type': type } = request.headers;
  const answer = await fetch(all.on.url + request.url!, {
    method: request.method!,
    headers: { authorization, ...(type !== undefined && { 'content-type': type }) },
    body: request.method === 'POST' ? await buffer(request) : null,
  });
  const headers = { 'Content-Type': answer.headers.get('content-type')! };
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) };
}

const run = 'POST imports/ID/run';
const read = 'GET imports/ID';
const resume = (id: string) => `signpost import --resume ${id}`;

test('an import whose upload had no answer is named', async () => {
  const note =
    'The service may have the import all the same. Cancel it in the console, or continue it with --resume.\n';
  const lost = await anImport(({ route, forward }) => forward({ isLost: route.startsWith('POST imports?') }));
  expect(lost).toMatchObject({ exitCode: 5, isCancelled: false, stderr: expect.stringContaining(note) });
  expect(['checking', 'ready']).toContain(lost.state);
  const refused = await anImport(({ refuse }) => refuse());
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.not.stringContaining(note) });
});

test('a run goes on if its answer is lost', async () => {
  const result = await anImport(({ route, forward }) => forward({ isLost: route === run }));
  expect(result).toMatchObject({ exitCode: 0, state: 'completed', isCancelled: false, stderr: '' });
  expect(result.stdout).toMatch(/^Dry run\n[^]*\nRun\n/);
});

test('an import is cancelled if the service never got the request to run it', async () => {
  const result = await anImport(({ route, forward, lose }) => (route === run ? lose() : forward()));
  expect(result).toMatchObject({ exitCode: 5, state: 'cancelled', isCancelled: true });
});

test('an import is not cancelled if the service does not say whether it runs', async () => {
  const { id, ...result } = await anImport(({ route, forward, refuse }) =>
    route === read ? refuse() : forward({ isLost: route === run }),
  );
  expect(result).toMatchObject({ exitCode: 5, isCancelled: false });
  expect(result.stderr).toContain(`The import ${id} may run; see ${resume(id)}.\n`);
});

test('an interruption while a run begins leaves it running', async () => {
  const { id, ...result } = await anImport(async ({ route, forward, interrupt }) => {
    await forward({ isLost: route === run });
    if (route === run) interrupt();
  });
  expect(result).toMatchObject({ exitCode: 130, isCancelled: false });
  expect(result.stderr).toContain(`The run goes on in the service; watch it with ${resume(id)}.\n`);
});
