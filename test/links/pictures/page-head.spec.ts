import { decodePage, readPageHead } from '../../../src/links/pictures/page-head';

const nothing = { title: null, description: null, imageUrl: null };

test.each<[string, string, object]>([
  ['an empty page', '', {}],
  ['a title', '<title>\n Summer &amp; sale </title>', { title: 'Summer & sale' }],
  [
    'Open Graph before the title',
    '<title>Shop</title><meta property="og:title" content="Sale"><meta name="twitter:title" content="No">',
    { title: 'Sale' },
  ],
  ['other quotes and order', `<META content='It&#39;s' NAME=description >`, { description: "It's" }],
  ['a picture', '<meta property="og:image" content="/a.png?x=1&amp;y=2"/>', { imageUrl: '/a.png?x=1&y=2' }],
  [
    'the secure picture',
    '<meta property=og:image content=a><meta property=og:image:secure_url content=b>',
    { imageUrl: 'b' },
  ],
  [
    'the first of several',
    '<meta property="og:image" content="a"><meta property="og:image" content="b">',
    { imageUrl: 'a' },
  ],
  ['an empty value', '<meta property="og:title" content=""><title>Shop</title>', { title: 'Shop' }],
  ['references that name no character', '<title>a&#0;b&#x110000;c&unknown;</title>', { title: 'abc&unknown;' }],
  ['a title that is too long', `<title>${'x'.repeat(300)}</title>`, { title: 'x'.repeat(200) }],
  ['a character that would be cut', `<title>${'x'.repeat(199)}😀</title>`, { title: 'x'.repeat(199) }],
  ['text that only looks like a tag', '<meta property="og:title" <meta <title', {}],
])('%s', (_, html, head) => expect(readPageHead(html)).toEqual({ ...nothing, ...head }));

test.each([
  ['UTF-8', Buffer.from('ü'), 'text/html'],
  ['the header', Buffer.from([0xfc]), 'text/html; charset=ISO-8859-1'],
  ['the page', Buffer.from('<meta charset="windows-1252">ü', 'latin1'), undefined],
  ['an unknown name', Buffer.from('ü'), 'text/html; charset=nothing'],
])('is decoded by %s', (_, bytes, type) => expect(decodePage(bytes, type)).toContain('ü'));

test.each(['<meta ', '<title ', '<meta content', '&#', 'content='])('%j many times takes little time', (part) => {
  const html = part.repeat(500_000 / part.length);
  const { user: before } = process.cpuUsage();
  readPageHead(html);
  expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
});
