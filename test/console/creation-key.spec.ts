import { load } from './load';

const { CreationKey } = load('api/idempotency-key');

test('a creation keeps its key while its values are the same', () => {
  const key = new CreationKey();
  const first = key.of({ name: 'Kiosk', tags: ['a'] });
  expect(key.of({ name: 'Kiosk', tags: ['a'] })).toBe(first);
  const second = key.of({ name: 'Kiosk', tags: ['b'] });
  expect(second).not.toBe(first);
  expect(key.of({ name: 'Kiosk', tags: ['a'] })).not.toBe(first);
});

test('the same values get another key after a success', () => {
  const key = new CreationKey();
  const first = key.of({ slug: '' });
  key.forget();
  expect(key.of({ slug: '' })).not.toBe(first);
});
