import type { VisitedProject } from '../../../src/link-routing/visited-link/visited-link';
import { withReservedParameter } from '../../../src/link-paths/paths/reserved-parameters';
import { forwardedQuery, readVisitorQuery } from '../../../src/link-routing/visited-link/visitor-query';

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
  ['_v%69a=page', '', null],
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

const none = { queryForwarding: 'none', forwardedParams: ['a'] } as const;
const listed = { queryForwarding: 'listed', forwardedParams: ['utm_source', 'ä b'] } as const;
const all = { queryForwarding: 'all', forwardedParams: ['a'] } as const;
const asProject = { queryForwarding: null, forwardedParams: ['a'] } as const;

test.each([
  [all, asProject, 'fbclid=1&&a=%zz', 'fbclid=1&&a=%zz'],
  [none, asProject, 'a=1', ''],
  [none, null, 'a=1', ''],
  [none, all, 'a=1', 'a=1'],
  [all, none, 'a=1', ''],
  [listed, asProject, 'a=1&utm_source=x&UTM_SOURCE=y&utm_source=z', 'utm_source=x&utm_source=z'],
  [listed, null, '%C3%A4+b=1&utm%5Fsource&fbclid', '%C3%A4+b=1&utm%5Fsource'],
  [all, { ...listed, forwardedParams: [] }, 'a=1', ''],
  [listed, none, 'utm_source=x', ''],
])('a project with %j and a link with %j forward of %j: %j', (project, link, query, forwarded) => {
  expect(forwardedQuery(project as unknown as VisitedProject, link, query)).toBe(forwarded);
});
