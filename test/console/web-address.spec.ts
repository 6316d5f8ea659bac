import { load } from './load';

const { webAddress } = load('components/web-address');
const { changesOf, emptyLink, linkFields, newLinkOf } = load('pages/link/link-values');
const { isUploadedPicture } = load('pages/link/uploaded-picture');
const { textsOfField } = load('i18n/field-texts');

test.each<[typed: string, sent: string]>([
  ['shop.example.com', 'https://shop.example.com'],
  [' Shop.Example.com/sale?a=b#c ', 'https://Shop.Example.com/sale?a=b#c'],
  ['shop.example.com:8443/sale', 'https://shop.example.com:8443/sale'],
  ['shop.example.com?a=https://b.example', 'https://shop.example.com?a=https://b.example'],
  ['bücher.example', 'https://bücher.example'],
  ['http://shop.example.com', 'http://shop.example.com'],
  ['https://shop.example.com', 'https://shop.example.com'],
  ['ftp://shop.example.com', 'ftp://shop.example.com'],
  ['javascript:alert.call(1)', 'javascript:alert.call(1)'],
  ['mailto:a@shop.example.com', 'mailto:a@shop.example.com'],
  ['a@shop.example.com', 'a@shop.example.com'],
  ['//shop.example.com', '//shop.example.com'],
  ['/sale.html', '/sale.html'],
  ['shop', 'shop'],
  ['a shop.example.com', 'a shop.example.com'],
  ['', ''],
])('%j is sent as %j', (typed, sent) => {
  expect(webAddress(typed)).toBe(sent);
});

test.each<string>(linkFields.filter((field: string) => textsOfField(field)?.form === 'format.url'))(
  'a link is sent with a complete %s',
  (field) => {
    const values = { ...emptyLink, name: 'Sale', [field]: 'shop.example.com' };
    expect(changesOf(values)[field]).toBe('https://shop.example.com');
    expect(newLinkOf(values)[field]).toBe('https://shop.example.com');
    expect(changesOf(emptyLink)[field]).toBeNull();
  },
);

test.each<[address: string, origins: string, isUploaded: boolean]>([
  ['https://demo.go.example.com/_pictures/NAME.jpg', 'https://*.go.example.com', true],
  ['http://demo.localhost:3000/_pictures/NAME.jpg', 'http://*.localhost:3000', true],
  ['https://evil.example/_pictures/NAME.jpg', 'https://*.go.example.com', false],
  ['https://evil-go.example.com/_pictures/NAME.jpg', 'https://*.go.example.com', false],
  ['https://evil.example/?https://demo.go.example.com/_pictures/NAME.jpg', 'https://*.go.example.com', false],
  ['http://demo.go.example.com/_pictures/NAME.jpg', 'https://*.go.example.com', false],
  ['https://demo.go.example.com/_pictures/NAME.jpg?x', 'https://*.go.example.com', true],
  ['https://demo.go.example.com/other.jpg', 'https://*.go.example.com', false],
  ['https://demo.go.example.com/_pictures/NAME.jpg', '', false],
  ['/_pictures/NAME.jpg', 'https://*.go.example.com', false],
])('the page loads %s from %j: %s', (address, origins, isUploaded) => {
  expect(isUploadedPicture(address.replace('NAME', 'a'.repeat(43)), origins)).toBe(isUploaded);
});
