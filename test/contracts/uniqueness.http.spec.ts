import { fixture } from '../support/fixtures';
import { inParallel } from '../support/in-parallel';
import { itemOf, Places } from './places';
import { fieldsOf, resources, same } from './resources';

/** How many requests take the same value at the same time. */
const atOnce = 10;

const places = new Places();

const withUniqueField = resources.flatMap(({ unique = [], ...resource }) =>
  [unique].flat().map((each) => [resource.name, each.field, resource, each] as const),
);

describe.each(withUniqueField)('%s: uniqueness of %s', (_, field, resource, unique) => {
  const { fields, read = same } = resource;
  const place = fixture(() => places.create(resource));
  const { get, put, remove } = places.requestsIn(() => place);

  const { code, sameAs = () => [], differsFrom, inService = false, keepsFormer } = unique;
  const valueOf = (one: Record<string, unknown>) => one[field] as string;
  const newValue = () => valueOf(resource.complete(place));
  const create = (value: string, where = place) =>
    places.send(where, 'POST', '', { ...resource.required(where), [field]: value });
  const changes = fieldsOf(resource, 'update').some(([name]) => name === field);
  const unchanged = 'name' in resource.fields ? { name: 'Never' } : {};

  test('is enforced on create and update, and a refused request changes nothing', async () => {
    const one = await places.item(resource, place);
    const other = await places.item(resource, place);
    const taken = [valueOf(one), ...sameAs(valueOf(one))];
    for (const answer of await places.sendUnchanging(taken, (value) => create(value)))
      expect(answer).toBeRefusedWith(code);
    if (!changes) return;
    const answers = await places.sendUnchanging(taken, (value) => put(other, { ...unchanged, [field]: value }));
    for (const answer of answers) expect(answer).toBeRefusedWith(code);
    expect((await get(other)).body).toEqual({ data: read(other) });
  });

  if (differsFrom)
    test('is case-sensitive', async () => {
      const one = await places.item(resource, place);
      const answer = await create(differsFrom(valueOf(one)));
      expect([answer.status, itemOf(answer)[field]]).toEqual([201, differsFrom(valueOf(one))]);
      if (!changes) return;
      const other = await places.item(resource, place);
      const value = newValue();
      expect((await put(one, { [field]: value })).status).toBe(200);
      expect((await put(other, { [field]: differsFrom(value) })).status).toBe(200);
    });

  test('allows an item to keep its value, and frees it after deletion', async () => {
    const one = await places.item(resource, place);
    if (changes) {
      expect((await put(one, { [field]: valueOf(one) })).status).toBe(200);
      if (fields['name']) expect((await put(one, { [field]: valueOf(one), name: 'Same' })).status).toBe(200);
      for (const value of sameAs(valueOf(one))) expect(itemOf(await put(one, { [field]: value }))[field]).toBe(value);
    }
    expect((await remove(one)).status).toBe(200);
    expect((await create(valueOf(one))).status).toBe(201);
  });

  if (changes && !keepsFormer)
    test('frees the former value of an item', async () => {
      const one = await places.item(resource, place);
      await put(one, { [field]: newValue() });
      expect((await create(valueOf(one))).status).toBe(201);
    });

  test(`is scoped to the ${inService ? 'service' : 'project'}`, async () => {
    const one = await places.item(resource, place);
    const other = await places.create(resource, inService ? undefined : place.account);
    if (!inService) expect((await create(valueOf(one), other)).status).toBe(201);
    else {
      const mine = await places.item(resource, other);
      const requests = [
        () => create(valueOf(one), other),
        () => put(mine, { name: 'Never', [field]: valueOf(one) }, other),
      ];
      for (const answer of await places.sendUnchanging(requests, (send) => send()))
        expect(answer).toBeRefusedWith(code);
    }
  });

  test('accepts one of ten concurrent creates', async () => {
    const value = newValue();
    const spellings = [value, ...sameAs(value)];
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, at) => create(spellings[at % spellings.length]!)),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(atOnce - 1);
    for (const answer of refused) expect(answer).toBeRefusedWith(code);
  });

  if (changes)
    test('accepts one of ten concurrent updates', async () => {
      const value = newValue();
      const items = await inParallel(Array.from({ length: atOnce }), () => places.item(resource, place));
      const answers = await Promise.all(items.map((one) => put(one, { [field]: value })));
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(atOnce - 1);
      for (const answer of refused) expect(answer).toBeRefusedWith(code);
    });
});
