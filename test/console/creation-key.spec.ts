import { createRequire } from 'node:module';

/** The console has other TypeScript settings, which an import would not follow. */
const { CreationKey } = createRequire(__filename)('../../console/src/api/idempotency-key') as {
  CreationKey: new () => { of(values: object): string; forget(): void };
};

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
