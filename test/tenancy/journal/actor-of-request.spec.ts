import { actorOfRequest } from '../../../src/tenancy/journal/actor-of-request';

const person = { userId: 'u', apiKeyId: null };
const request = { address: '203.0.113.77', requestId: 'r' };

test.each([
  ['whole', '203.0.113.77', '203.0.113.77'],
  ['whole', '2001:db8:1:2:3::4', '2001:db8:1:2:3::4'],
  ['shortened', '203.0.113.77', '203.0.113.0'],
  ['shortened', '2001:db8:1:2:3::4', '2001:db8:1::'],
  ['shortened', '2001:db8::1', '2001:db8::'],
  ['shortened', '::1', '::'],
  ['shortened', '', undefined],
  ['none', '203.0.113.77', undefined],
] as const)('with addresses %s, %s is kept as %s', (addresses, address, kept) => {
  expect(actorOfRequest(person, { ...request, address }, { addresses }).address).toBe(kept);
});

test('an actor is a person or a key, with the request', () => {
  const settings = { addresses: 'none' } as const;
  expect(actorOfRequest(person, request, settings)).toEqual({ kind: 'user', user_id: 'u', request_id: 'r' });
  expect(actorOfRequest({ userId: 'u', apiKeyId: 'k' }, request, settings)).toEqual({
    kind: 'key',
    user_id: 'u',
    api_key_id: 'k',
    request_id: 'r',
  });
});
