import { aDynamicLink, unknownId } from '../support/builders';
import { untilPurged } from '../support/content';
import { fixture } from '../support/fixtures';
import { itemOf, listOf, Places } from './places';
import { fieldsOf, instant, type Item, resources, same } from './resources';

const places = new Places();

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);

describe.each(resources.map((resource) => [resource.name, resource] as const))('%s', (_, resource) => {
  const { immutable = false, read = same, listed = same } = resource;
  const inProject = resource.path.includes('{project}');
  const times = resource.hasNoUpdateTime ? { created_at: instant } : { created_at: instant, updated_at: instant };
  const methods = immutable ? (['GET', 'DELETE'] as const) : (['GET', 'PUT', 'DELETE'] as const);
  const updated = fieldsOf(resource, 'update');

  const place = fixture(() => places.create(resource));
  const item = fixture(() => places.item(resource, place));
  const { get, put, remove } = places.requestsIn(() => place);

  /** Returns one request per method to an id, with an empty body if necessary. */
  const sendTo = (id: string, where = place) =>
    methods.map((method) => () => places.send(where, method, `/${id}`, method === 'PUT' ? {} : undefined));

  test.each(['complete', 'required'] as const)('is created from a %s body', async (which) => {
    const body = resource[which](place);
    const answer = await places.send(place, 'POST', '', body);
    const data = itemOf(answer);
    expect(answer.status).toBe(201);
    expect(data).toEqual({
      id: uuid,
      ...resource.defaults(place),
      ...body,
      ...resource.derived?.(place, data),
      ...times,
    });
    expect(answer.headers['location']).toBe(`http://localhost:3000/api/v1${place.list}/${data.id}`);
    if (!resource.hasNoUpdateTime) expect(data['updated_at']).toBe(data.created_at);
    expect(Math.abs(Date.parse(data.created_at) - Date.now())).toBeLessThan(60_000);
    expect((await get(data)).body).toEqual({ data: read(data) });
  });

  test('appears in the list as created', async () => {
    const alone = await places.create(resource);
    const only = await places.item(resource, alone);
    expect((await places.send(alone, 'GET')).body).toEqual({
      data: [listed(only)],
      pagination: { page: 1, limit: 10, total: 1, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
    });
  });

  test('can be deleted without affecting others', async () => {
    const own = await places.create(resource);
    const [kept, removed] = [await places.item(resource, own), await places.item(resource, own)];
    const answer = await remove(removed, own);
    expect([answer.status, answer.body]).toEqual([200, { data: { message: resource.deletedMessage } }]);
    for (const send of sendTo(removed.id, own)) expect(await send()).toBeRefusedWith('NOT_FOUND');
    const list = (await places.send(own, 'GET')).body as { data: Item[]; pagination: object };
    expect(list.data).toEqual([listed(kept)]);
    expect(list.pagination).toMatchObject({ total: 1 });
    expect((await get(kept, own)).status).toBe(200);
  });

  test('is deleted once by ten concurrent requests', async () => {
    const removed = await places.item(resource, place);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(removed)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toBeRefusedWith('NOT_FOUND');
  });

  test('ids are read in upper case and written in lower case', async () => {
    const own = await places.create(resource);
    const one = await places.item(resource, own);
    const upper = { ...own, list: listOf(resource, { ...own, projectId: own.projectId.toUpperCase() }) };
    const upperCaseItem = { ...one, id: one.id.toUpperCase() };
    expect((await get(upperCaseItem, upper)).body).toEqual({ data: read(one) });
    if (!immutable) {
      expect(itemOf(await put(upperCaseItem, {}, upper)).id).toBe(one.id);
      const second = await places.send(upper, 'POST', '', resource.required(own));
      expect(second.headers['location']).toBe(`http://localhost:3000/api/v1${own.list}/${itemOf(second).id}`);
    }
    expect((await remove(upperCaseItem, upper)).status).toBe(200);
    expect(await get(one, own)).toBeRefusedWith('NOT_FOUND');
  });

  if (inProject)
    test('is deleted with its project', async () => {
      const own = await places.create(resource);
      const one = await places.item(resource, own);
      if (resource.table.endsWith('_apps'))
        await aDynamicLink(places.on, own.account.key, own.projectId, {
          [resource.table === 'ios_apps' ? 'ios_app_id' : 'android_app_id']: one.id,
        });
      await places.on.api('delete', `/projects/${own.projectId}`, own.account.key).expect(200);
      await untilPurged(places.on, own.projectId);
      const left = await places.on.database.query(`SELECT FROM ${resource.table} WHERE project_id = $1`, [
        own.projectId,
      ]);
      expect(left).toHaveLength(0);
    });

  if (resource.table !== 'projects')
    test.each([unknownId, 'nonsense'])('requests are validated before the id %s is looked up', async (id) => {
      expect(await places.send(place, 'GET', `/${id}?x=1`)).toBeRefusedWith('INVALID_INPUT');
      expect(await places.send(place, 'DELETE', `/${id}?x=1`)).toBeRefusedWith('INVALID_INPUT');
      if (immutable) return;
      const [name] = updated[0]!;
      expect(await put({ ...item, id }, { [name]: 7 })).toBeRefusedWith('INVALID_INPUT');
      expect(await put({ ...item, id }, { id })).toBeRefusedWith('FORBIDDEN_FIELD');
      expect(await put({ ...item, id }, {})).toBeRefusedWith('NOT_FOUND');
    });
});
