import { continuationOf } from '../../src/link-routing/continuation';

test.each<[via: string, isIpad: boolean, wasOfferedApp: boolean, crossesHosts: boolean]>([
  ['page', false, true, false],
  ['ipad-page', true, true, false],
  ['ipad', true, false, true],
  ['open', false, true, true],
  ['ipad-open', true, true, true],
])('the marker %p says what a page found and did', (via, isIpad, wasOfferedApp, crossesHosts) => {
  expect(continuationOf(via)).toEqual({ isIpad, wasOfferedApp, crossesHosts });
});

test.each(['qr', '', 'PAGE', 'page ', 'constructor', null])('the marker %p is of no page', (via) => {
  expect(continuationOf(via)).toBeNull();
});
