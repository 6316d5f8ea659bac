import { load } from './load';

const { hostIn } = load('app/host-in');

test.each([
  ['shop.example.com', 'shop.example.com'],
  ['https://shop.example.com/sale?a=1', 'shop.example.com/sale?a=1'],
  ['shop.example.com:8443', 'shop.example.com:8443'],
  ['bücher.example', 'bücher.example'],
  ['winter sale', null],
  ['sale', null],
  ['v1.2', null],
  ['see shop.example.com', null],
  ['javascript:alert(1)', null],
  ['', null],
])('%j leads to the links to %j', (text, host) => {
  expect(hostIn(text)).toBe(host);
});
