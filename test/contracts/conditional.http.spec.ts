import type { Test } from 'supertest';
import { changingNothing } from '../support/content';
import { fixture, fixtureOfEach } from '../support/fixtures';
import { sample } from '../support/scale';
import { fieldsOf, resources } from './resources';
import { Places } from './places';

const places = new Places();

describe.each(resources.map((resource, at) => [resource.name, resource, at] as const))('%s', (_, resource, at) => {
  const place = fixture(() => places.create(resource));
  const item = fixtureOfEach(() => places.item(resource, place));

  const send = (method: 'get' | 'head' | 'put' | 'delete', headers: Record<string, string> = {}): Test =>
    places.on.api(method, `${place.list}/${item.id}`, place.credential).set(headers);
  const tagOf = async () => (await send('get').expect(200)).headers['etag']!;
  const remove = (tag: string) => send('delete', { 'If-Match': tag });
  // Some fields are unique, so an item would be in the way of the next one.
  afterEach(async () => void (await remove('*')));
  const refused = async (request: () => Test) =>
    expect(await changingNothing(places.on, request)).toBeRefusedWith('PRECONDITION_FAILED');

  test('returns 304 without a body if If-None-Match contains its ETag', async () => {
    const tag = await tagOf();
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    for (const sent of sample([tag, `W/${tag}`, `"other", ${tag}`, '*'], at)) {
      const answer = await send('get', { 'If-None-Match': sent }).expect(304);
      expect([answer.text, answer.headers['etag']]).toEqual(['', tag]);
      expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
      expect(answer.headers).not.toHaveProperty('content-length');
    }
    for (const sent of sample(['"other"', tag.slice(1, -1), ''], at, 1))
      await send('get', { 'If-None-Match': sent }).expect(200);
    expect((await send('head').expect(200)).headers['etag']).toBe(tag);
  });

  test('is deleted only if If-Match contains its ETag', async () => {
    const tag = await tagOf();
    for (const other of sample(['"other"', `W/${tag}`, tag.slice(1, -1), ''], at, 1))
      await refused(() => remove(other));
    await remove(`"other", ${tag}`).expect(200);
    expect(await remove('*')).toBeRefusedWith('NOT_FOUND');
  });

  const [changed] = fieldsOf(resource, 'update').filter(([, { accepts }]) => accepts.length > 2);
  if (!changed) return;
  const [field, { accepts }] = changed;
  const put = (tag: string, value: unknown) => send('put', { 'If-Match': tag }).send({ [field]: value });

  test('is not updated with the ETag from before another update', async () => {
    const tag = await tagOf();
    await put(tag, accepts[0]).expect(200);
    expect(await tagOf()).not.toBe(tag);
    await refused(() => put(tag, accepts[1]));
    await put(await tagOf(), accepts[1]).expect(200);
    await put('*', accepts[2]).expect(200);
  });

  test('is updated by one of ten concurrent requests with the same If-Match', async () => {
    const tag = await tagOf();
    // Each is a change, because the value of the item differs.
    const values = Array.from({ length: 10 }, (_, nth) => accepts[nth % accepts.length]);
    const answers = await Promise.all(values.map((value) => put(tag, value)));
    const [made, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    for (const answer of answers) if (answer !== made) expect(answer).toBeRefusedWith('PRECONDITION_FAILED');
    expect((await send('get').expect(200)).body.data[field]).toEqual(made!.body.data[field]);
  });
});
