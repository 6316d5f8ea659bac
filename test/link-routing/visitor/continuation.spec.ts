import { continuationOf, isTest } from '../../../src/link-routing/visitor/continuation';

test.each<[via: string, isIpad: boolean, wasOfferedApp: boolean, crossesHosts: boolean, leftApp: boolean]>([
  ['page', false, true, false, false],
  ['ipad-page', true, true, false, false],
  ['browser-page', false, false, false, true],
  ['ipad-browser-page', true, false, false, true],
  ['browser-page~x_safari~ios~X~1~1~1', false, false, false, true],
  ['ipad-browser-page~', true, false, false, true],
  ['ipad', true, false, true, false],
  ['open', false, true, true, false],
  ['ipad-open', true, true, true, false],
  ['ipad-test', true, false, false, false],
])('the marker %p says what a page found and did', (via, isIpad, wasOfferedApp, crossesHosts, leftApp) => {
  expect(continuationOf(via)).toEqual({ isIpad, wasOfferedApp, crossesHosts, leftApp });
});

test.each(['qr', 'test', '', 'PAGE', 'page ', 'phone-browser-page', 'page~', 'constructor', null])(
  'the marker %p is of no page',
  (via) => {
    expect(continuationOf(via)).toBeNull();
  },
);

test.each([
  ['_via=test', true],
  ['a=1&_via=ipad-test', true],
  ['_via=test&a=1', true],
  ['', false],
  ['_via=tests', false],
  ['_via=page-test', false],
  ['x_via=test', false],
  ['_via=qr', false],
])('the query %p asks for the page of a test: %p', (query, expected) => {
  expect(isTest(query)).toBe(expected);
});
