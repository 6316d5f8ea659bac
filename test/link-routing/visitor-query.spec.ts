import { withReservedParameter } from '../../src/management-api/link-paths/reserved-parameters';
import { readVisitorQuery } from '../../src/link-routing/visitor-query';

test.each<[query: string, visitorQuery: string, via: string | null]>([
  ['', '', null],
  ['a=1&b=%32+3', 'a=1&b=%32+3', null],
  ['_via=page', '', 'page'],
  ['_via=ipad', '', 'ipad'],
  ['_via=qr', '', 'qr'],
  ['a=1&_via=page', 'a=1', 'page'],
  ['_via=page&a=1', 'a=1', 'page'],
  ['a=1&_via=page&b=%zz', 'a=1&b=%zz', 'page'],
  ['_via=page&_via=ipad', '', 'page'],
  ['_via', '', null],
  ['_via=', '', ''],
  ['_via=a=b', '', 'a=b'],
  ['deferred_link=token&a=1', 'a=1', null],
  ['a=1&deferred_link', 'a=1', null],
  ['deferred_link=1&_via=page', '', 'page'],
  // Names or values that only contain a reserved name.
  ['a_via=1&_via2=2&x=_via&y=deferred_link=1', 'a_via=1&_via2=2&x=_via&y=deferred_link=1', null],
  ['_VIA=page', '_VIA=page', null],
  ['a=1&&b=2', 'a=1&&b=2', null],
  ['__proto__=1', '__proto__=1', null],
  // Percent-encoded reserved names, which are removed and not read.
  ['%5fvia=page&a=1', 'a=1', null],
  ['a=1&%64eferred_link=token', 'a=1', null],
])('%j has the visitor query %j and the marker %j', (query, visitorQuery, via) => {
  expect(readVisitorQuery(query)).toEqual({ visitorQuery, via });
});

test.each([
  ['https://e.com/p', 'https://e.com/p?_via=page'],
  ['https://e.com/p?a=1', 'https://e.com/p?a=1&_via=page'],
])('the marker in %s is read again', (url, expected) => {
  expect(withReservedParameter(url, 'via', 'page')).toBe(expected);
  expect(readVisitorQuery(expected.split('?')[1]!)).toEqual({ visitorQuery: url.split('?')[1] ?? '', via: 'page' });
  expect(readVisitorQuery(withReservedParameter(url, 'token', 'x').split('?')[1]!)).toEqual({
    visitorQuery: url.split('?')[1] ?? '',
    via: null,
  });
});
