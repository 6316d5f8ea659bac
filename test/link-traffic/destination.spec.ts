import { answerFor } from '../../src/link-traffic/destination';
import type { VisitedLink } from '../../src/link-traffic/visited-link';

const aVisitedLink = (fields: Partial<VisitedLink>): VisitedLink => ({
  id: '0198c0de-7e57-7000-8000-000000000002',
  name: 'A link',
  desktopUrl: null,
  iosFallbackUrl: null,
  androidFallbackUrl: null,
  socialTitle: null,
  socialDescription: null,
  referrerParams: null,
  ...fields,
});

const all = {
  desktopUrl: 'https://d.example/',
  iosFallbackUrl: 'https://i.example/',
  androidFallbackUrl: 'https://a.example/',
};

test.each([
  ['ios', all, 'https://i.example/'],
  ['ios', { desktopUrl: all.desktopUrl }, 'https://d.example/'],
  ['ios', { androidFallbackUrl: all.androidFallbackUrl }, null],
  ['android', all, 'https://a.example/'],
  ['android', { desktopUrl: all.desktopUrl }, 'https://d.example/'],
  ['android', { iosFallbackUrl: all.iosFallbackUrl }, null],
  ['desktop', all, 'https://d.example/'],
  ['desktop', { iosFallbackUrl: all.iosFallbackUrl, androidFallbackUrl: all.androidFallbackUrl }, null],
  ['desktop', {}, null],
] as const)('%s with %j goes to %s', (platform, fields, redirect) => {
  const link = aVisitedLink(fields);
  expect(answerFor(link, platform, '')).toEqual(redirect === null ? { landing: link } : { redirect });
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'intent://x#Intent;end',
  'https://user@e.com/',
  '//e.com/',
  'https://e.com/\r\nX: 1',
  '',
])('a stored %j is never served: the next destination is', (stored) => {
  const link = aVisitedLink({ iosFallbackUrl: stored, desktopUrl: 'https://d.example/' });
  expect(answerFor(link, 'ios', '')).toEqual({ redirect: 'https://d.example/' });
  expect(answerFor({ ...link, desktopUrl: stored }, 'ios', '')).toHaveProperty('landing');
});
