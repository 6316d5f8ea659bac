import { urlBelow } from '../../../src/imports/apis/api-url';

test.each([
  ['https://a.example', '/links', {}, 'https://a.example/links'],
  ['https://a.example/', '/links', { page: '1' }, 'https://a.example/links?page=1'],
  ['https://a.example:8443/sub//', '/rest/v3', { q: 'a b&c' }, 'https://a.example:8443/sub/rest/v3?q=a+b%26c'],
  ['https://a.example', '/groups/..%2F..', {}, 'https://a.example/groups/..%2F..'],
])('%s with %s and %j is %s', (base, path, query, expected) => {
  expect(urlBelow(base, path, query).href).toBe(expected);
});
