import { isDeepStrictEqual } from 'node:util';
import type { ApiResponse } from '../support/api-request';
import { fixture } from '../support/fixtures';
import { inParallel } from '../support/in-parallel';
import { problem } from '../support/problem';
import { sample } from '../support/scale';
import { itemOf, Places } from './places';
import { fieldsOf, instant, type Item, resources, same } from './resources';

const places = new Places();

const longAgo = '2020-02-02T02:02:02.002Z';

type Write = (body: object | string) => Promise<ApiResponse>;

describe.each(resources.map((resource, at) => [resource.name, resource, at] as const))(
  'body of: %s',
  (_, resource, nth) => {
    const { fields, immutable = false, read = same } = resource;
    const created = fieldsOf(resource, 'create');
    const updated = fieldsOf(resource, 'update');

    const place = fixture(() => places.create(resource));
    const item = fixture(() => places.item(resource, place));
    const { get, put, remove } = places.requestsIn(() => place);

    const create: Write = (body) =>
      places.send(place, 'POST', '', typeof body === 'string' ? body : { ...resource.required(place), ...body });
    const writes: [operation: 'create' | 'update', write: Write][] = [['create', create]];
    if (!immutable) writes.push(['update', (body) => put(item, body)]);

    describe.each(writes)('%s', (operation, write) => {
      const all = operation === 'create' ? created : updated;
      const others = Object.keys(fields).filter((name) => !all.some(([field]) => field === name));
      const forbidden = [...resource.readOnly, ...others, 'x', 'Name', 'toString', ''];
      const pollution = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty'];

      test('refuses each unknown field', async () => {
        const names = [...sample(forbidden, nth, 4), ...sample(pollution, nth, 1)];
        const required = Object.entries(operation === 'create' ? resource.required(place) : {});
        const answers = await places.sendUnchanging(names, (name, at) =>
          write(JSON.stringify(Object.fromEntries([...required, [name, [null, 'x', { name: 'y' }][at % 3]]]))),
        );
        for (const [at, answer] of answers.entries())
          expect(answer).toBeRefusedWith('FORBIDDEN_FIELD', [problem('unrecognized_key', names[at]!)]);
      });

      test('reports every invalid field', async () => {
        const [answer] = await places.sendUnchanging([0], () =>
          write(Object.fromEntries(all.map(([name, { type }]) => [name, type === 'an integer' ? 'x' : 7]))),
        );
        expect(answer).toBeRefusedWith(
          'INVALID_INPUT',
          all.map(([name]) => problem('invalid_type', name)),
        );
      });

      const limited = all.filter(([, { refuses }]) => refuses.length > 0);
      if (limited.length > 0)
        test.each(limited.map((field, at) => [...field, at] as const))(
          'refuses invalid values of %s',
          async (name, field, at) => {
            const refuses = sample(field.refuses, nth + at, 4);
            const answers = await places.sendUnchanging(refuses, ([value]) => write({ [name]: value }));
            for (const [at, answer] of answers.entries()) {
              const [, code, ...path] = refuses[at]!;
              expect(answer).toBeRefusedWith('INVALID_INPUT', [problem(code, name, ...path)]);
            }
          },
        );
    });

    /** Tests delete their items in this place, so that the next test can reuse unique values. */
    const own = fixture(() => places.create(resource));

    test.each(created.filter(([, { accepts }]) => accepts.length > 0).map((field, at) => [...field, at] as const))(
      'create keeps valid values of %s as they were sent',
      async (name, { accepts }, at) => {
        await inParallel(sample(accepts, at), async (value) => {
          const answer = await places.send(own, 'POST', '', { ...resource.required(own), [name]: value });
          expect(answer.body).toEqual({ data: expect.objectContaining({ [name]: value }) });
          const item = itemOf(answer);
          expect(item).toEqual({ ...item, ...resource.derived?.(own, item) });
          expect(itemOf(await get(item, own))[name]).toEqual(value);
          expect((await remove(item, own)).status).toBe(200);
        });
      },
    );

    if (updated.some(([, { accepts }]) => accepts.length > 0)) {
      /** Creates an item with all fields and old timestamps. */
      const anOldItem = async (): Promise<Item> => {
        const { id } = await places.item(resource, own);
        const columns = resource.hasNoUpdateTime ? 'created_at = $2' : 'created_at = $2, updated_at = $2';
        await places.on.database.query(`UPDATE ${resource.table} SET ${columns} WHERE id = $1`, [id, longAgo]);
        return itemOf(await get({ id, created_at: longAgo }, own));
      };
      /** Removes the fields of other resources, which only GET returns. */
      const withoutReferences = ({ ios_apps: _, android_apps: __, ...rest }: Item) => rest as Item;

      const changeable = updated.filter(([, { accepts, nullable }]) => accepts.length > 0 || nullable);
      test.each(changeable.map((field, at) => [...field, at + 1] as const))(
        'update of %s changes that and nothing else',
        async (name, { accepts, nullable }, at) => {
          let before = withoutReferences(await anOldItem());
          expect(before.created_at).toBe(longAgo);
          const values = [...sample(accepts, at), ...(nullable ? [null] : [])];
          // A value that the field has already would change nothing.
          for (const value of values.filter((other) => !isDeepStrictEqual(other, before[name]))) {
            const answer = await put(before, { [name]: value }, own);
            const after = itemOf(answer);
            expect(answer.body).toEqual({
              data: {
                ...before,
                [name]: value,
                ...resource.derived?.(own, { ...before, [name]: value }),
                ...(!resource.hasNoUpdateTime && { updated_at: instant }),
              },
            });
            if (!resource.hasNoUpdateTime) {
              expect(Date.parse(after['updated_at'] as string)).toBeGreaterThan(Date.now() - 60_000);
              expect((after['updated_at'] as string) >= (before['updated_at'] as string)).toBe(true);
            }
            const current = await get(before, own);
            expect(current.body).toEqual({ data: read(after) });
            expect(answer.headers['etag']).toMatch(/^"/);
            expect(answer.headers['etag']).toBe(current.headers['etag']);
            before = after;
          }
          expect((await remove(before, own)).status).toBe(200);
        },
      );

      test('update changes all fields at once', async () => {
        const before = withoutReferences(await anOldItem());
        const changes = Object.fromEntries(
          updated.map(([name, { accepts, nullable }]) => [name, nullable ? null : accepts.at(-1)]),
        );
        expect((await put(before, changes, own)).body).toEqual({
          data: {
            ...before,
            ...changes,
            ...resource.derived?.(own, { ...before, ...changes }),
            ...(!resource.hasNoUpdateTime && { updated_at: instant }),
          },
        });
      });

      test('update with the stored values changes nothing, not even updated_at', async () => {
        const old = await anOldItem();
        const before = withoutReferences(old);
        const stored = Object.fromEntries(updated.map(([name]) => [name, before[name]]));
        const each = Object.entries(stored).map(([name, value]) => ({ [name]: value }));
        const tag = (await get(old, own)).headers['etag'];
        for (const answer of await places.sendUnchanging([stored, ...sample(each, nth)], (body) =>
          put(before, body, own),
        )) {
          expect([answer.status, answer.body]).toEqual([200, { data: before }]);
          expect(answer.headers['etag']).toBe(tag);
        }
      });

      test('update with an empty body changes nothing', async () => {
        const before = withoutReferences(await anOldItem());
        const [answer] = await places.sendUnchanging([before], (one) => put(one, {}, own));
        expect([answer!.status, answer!.body]).toEqual([200, { data: before }]);
      });
    }
  },
);
