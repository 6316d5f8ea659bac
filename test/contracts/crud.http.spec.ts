import { aDynamicLink, unknownId } from '../support/builders';
import { changingNothing, untilPurged } from '../support/content';
import { problem } from '../support/problem';
import { itemOf, otherIds, type Place, Places } from './places';
import { fieldsOf, instant, type Item, resources, same } from './resources';

let places: Places;
beforeAll(async () => {
  places = await Places.start();
});
afterAll(() => places.stop());

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);

describe.each(resources.map((resource) => [resource.name, resource] as const))('%s', (_, resource) => {
  const { immutable = false, read = same, listed = same } = resource;
  const inProject = resource.path.includes('{project}');
  const times = resource.hasNoUpdateTime ? { created_at: instant } : { created_at: instant, updated_at: instant };
  const methods = immutable ? (['GET', 'DELETE'] as const) : (['GET', 'PUT', 'DELETE'] as const);
  const updated = fieldsOf(resource, 'update');

  let place: Place;
  let item: Item;
  beforeAll(async () => {
    place = await places.create(resource);
    item = await places.item(resource, place);
  });

  const get = (one: Item, where = place) => places.send(where, 'GET', `/${one.id}`);
  const put = (one: Item, body: object | string, where = place) => places.send(where, 'PUT', `/${one.id}`, body);
  const remove = (one: Item, where = place) => places.send(where, 'DELETE', `/${one.id}`);

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

  describe('ids', () => {
    test('are read in upper case and written in lower case', async () => {
      const own = await places.create(resource);
      const one = await places.item(resource, own);
      const upper = { ...own, list: resource.path.replace('{project}', own.projectId.toUpperCase()) };
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

    test('have no other spelling', async () => {
      const requests = otherIds(item.id).flatMap((id) => sendTo(id));
      for (const answer of await places.sendUnchanging(requests, (send) => send()))
        expect(answer).toBeRefusedWith('NOT_FOUND');
    });

    if (inProject)
      test('of the project have no other spelling', async () => {
        const requests = otherIds(place.projectId).flatMap((id) => {
          const elsewhere = { ...place, list: resource.path.replace('{project}', id) };
          return [
            ...sendTo(item.id, elsewhere),
            () => places.send(elsewhere, 'GET'),
            () => places.send(elsewhere, 'POST', '', {}),
          ];
        });
        for (const answer of await places.sendUnchanging(requests, (send) => send()))
          expect(answer).toBeRefusedWith('NOT_FOUND');
      });
  });

  describe('of another owner', () => {
    /** Requests with further errors, for an item and for its list. */
    const hostileRequests = (where: Place, { id }: Item) => [
      () => places.send(where, 'GET', `/${id}`),
      () => places.send(where, 'GET', `/${id}?nonsense=1`),
      () => places.send(where, 'DELETE', `/${id}`),
      ...(immutable
        ? []
        : [
            () => places.send(where, 'PUT', `/${id}`, {}),
            () => places.send(where, 'PUT', `/${id}`, { id: 1, name: 2 }),
            () => places.send(where, 'PUT', `/${id}`, '['),
          ]),
    ];
    const hostileListRequests = (where: Place) => [
      () => places.send(where, 'GET'),
      () => places.send(where, 'GET', '?page=0'),
      () => places.send(where, 'POST', '', resource.required(where)),
      () => places.send(where, 'POST', '', { id: 1, name: 2 }),
    ];

    test('is refused to another account before other validation', async () => {
      const other = await places.create(resource, await places.on.anAccount('enterprise'));
      const intruder = { ...place, credential: other.credential };
      const requests = [...hostileRequests(intruder, item), ...(inProject ? hostileListRequests(intruder) : [])];
      const answers = await places.sendUnchanging(requests, (send) => send());
      if (resource.credential !== 'token')
        for (const answer of answers) expect(answer).toBeRefusedWith('ACCESS_DENIED');
      else for (const answer of answers) expect(answer.status).toBeGreaterThanOrEqual(400);
      for (const send of sendTo(item.id, intruder))
        expect(await send()).toBeRefusedWith(resource.credential === 'token' ? 'NOT_FOUND' : 'ACCESS_DENIED');
    });

    test('is refused without a valid credential', async () => {
      const stranger = { ...place, credential: `${place.credential.slice(0, -1)}!` };
      const requests = [...hostileRequests(stranger, item), ...hostileListRequests(stranger)];
      for (const answer of await places.sendUnchanging(requests, (send) => send()))
        expect(answer).toBeRefusedWith('UNAUTHORIZED');
    });

    if (inProject) {
      test('is not found in another project of the account', async () => {
        const sibling = await places.create(resource, place.account);
        const requests = [
          ...sendTo(item.id, sibling),
          ...(immutable ? [] : [() => put(item, { [updated[0]![0]]: updated[0]![1].accepts[0] }, sibling)]),
        ];
        for (const answer of await places.sendUnchanging(requests, (send) => send()))
          expect(answer).toBeRefusedWith('NOT_FOUND');
        expect((await get(item)).body).toEqual({ data: read(item) });
      });

      test('is not found by the id of another resource', async () => {
        const elsewhere = await places.create(resource, await places.on.anAccount('enterprise'));
        const foreign = await places.item(resource, elsewhere);
        const requests = [foreign.id, place.projectId].flatMap((id) => sendTo(id));
        for (const answer of await places.sendUnchanging(requests, (send) => send()))
          expect(answer).toBeRefusedWith('NOT_FOUND');
      });

      test('is not found in an unknown or deleted project, before other validation', async () => {
        const deleted = await places.create(resource);
        const gone = await places.item(resource, deleted);
        await places.on.api('delete', `/projects/${deleted.projectId}`, deleted.account.key).expect(200);
        await untilPurged(places.on, deleted.projectId);
        const unknown = { ...deleted, list: resource.path.replace('{project}', unknownId) };
        const requests = [deleted, unknown].flatMap((where) => [
          ...hostileRequests(where, gone),
          ...hostileListRequests(where),
        ]);
        for (const answer of await places.sendUnchanging(requests, (send) => send()))
          expect(answer).toBeRefusedWith('NOT_FOUND');
      });

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
    }
  });

  describe('requests', () => {
    if (resource.table !== 'projects')
      test.each([unknownId, 'nonsense'])('are validated before the id %s is looked up', async (id) => {
        expect(await places.send(place, 'GET', `/${id}?x=1`)).toBeRefusedWith('INVALID_INPUT');
        expect(await places.send(place, 'DELETE', `/${id}?x=1`)).toBeRefusedWith('INVALID_INPUT');
        if (immutable) return;
        const [name] = updated[0]!;
        expect(await put({ ...item, id }, { [name]: 7 })).toBeRefusedWith('INVALID_INPUT');
        expect(await put({ ...item, id }, { id })).toBeRefusedWith('FORBIDDEN_FIELD');
        expect(await put({ ...item, id }, {})).toBeRefusedWith('NOT_FOUND');
      });

    test('are refused with an unknown query parameter', async () => {
      const requests = [
        () => places.send(place, 'POST', '?page=1', resource.required(place)),
        ...methods.map(
          (method) => () => places.send(place, method, `/${item.id}?page=1`, method === 'PUT' ? {} : undefined),
        ),
      ];
      for (const answer of await places.sendUnchanging(requests, (send) => send()))
        expect(answer).toBeRefusedWith('INVALID_INPUT', [problem('unrecognized_key', 'page')]);
    });

    const allowed = `GET, HEAD, ${immutable ? '' : 'PUT, '}DELETE`;
    test.each([
      ['patch', true, allowed],
      ['post', true, allowed],
      ...(immutable ? [['put', true, allowed] as const] : []),
      ['put', false, 'GET, HEAD, POST'],
      ['patch', false, 'GET, HEAD, POST'],
      ['delete', false, 'GET, HEAD, POST'],
    ] as const)('are refused with the method %s (of an item: %s)', async (method, ofItem, methodsAllowed) => {
      const path = `${place.list}${ofItem ? `/${item.id}` : ''}`;
      const request = () => places.on.api(method, path, place.credential).send({ name: 'Other' });
      const response = await changingNothing(places.on, request);
      expect(response).toBeRefusedWith('METHOD_NOT_ALLOWED');
      expect(response.headers['allow']!.split(', ').sort()).toEqual(methodsAllowed.split(', ').sort());
    });
  });
});
