import { aDynamicLink, aProject } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { unstorable } from '../../support/json';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let owner: TestAccount;
let projectId: string;
let linkId: string;
beforeAll(async () => {
  on = await aService();
  owner = await on.anAccount();
  projectId = (await aProject(on, owner.key)).id;
  linkId = (await aDynamicLink(on, owner.key, projectId)).id;
});
afterAll(() => on.stop());

const send = (method: 'post' | 'put', path: string, body: object | string) =>
  on.api(method, path, owner.key).set('Content-Type', 'application/json').send(body);

const create = (fields: object | string) =>
  send('post', `/projects/${projectId}/links`, typeof fields === 'string' ? fields : { name: 'A link', ...fields });
const update = (fields: object | string) => send('put', `/projects/${projectId}/links/${linkId}`, fields);
const writes = [
  ['create', create],
  ['update', update],
] as const;

const problemAt = (code: string, ...path: (string | number)[]) => [{ code, path, message: expect.any(String) }];

describe.each(writes)('referrer_params on %s', (_, write) => {
  test('keep their order and accept __proto__ as a key', async () => {
    const params = '{"z":"1","__proto__":"2","a":"3","constructor":"4","Z":"5","m":"6"}';
    const response = await write(`{"name":"x","referrer_params":${params}}`);
    expect(response.text).toContain(`"referrer_params":${params}`);
    const read = await on.api('get', `/projects/${projectId}/links/${response.body.data.id}`, owner.key).expect(200);
    expect(read.text).toContain(`"referrer_params":${params}`);
  });

  test('of a wrong type change nothing', async () => {
    const response = await changingNothing(on, () => write({ referrer_params: { k: 1 } }));
    expect(response).toBeRefusedWith('INVALID_INPUT', problemAt('invalid_type', 'referrer_params', 'k'));
  });

  test.each(unstorable)('cannot contain %s in a value', async (_, source) => {
    const response = await changingNothing(on, () => write(`{"name":"x","referrer_params":{"k":${source}}}`));
    expect(response).toBeRefusedWith('INVALID_INPUT', problemAt('invalid_format', 'referrer_params', 'k'));
  });

  test.each(unstorable)('cannot contain %s in a key', async (_, source) => {
    const response = await changingNothing(on, () => write(`{"name":"x","referrer_params":{${source}:"v"}}`));
    expect(response).toBeRefusedWith(
      'INVALID_INPUT',
      problemAt('invalid_format', 'referrer_params', expect.any(String)),
    );
  });
});
