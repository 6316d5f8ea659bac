import { createRequire } from 'node:module';

/** The console has other TypeScript settings, which an import would not follow. */
const { hostIn } = createRequire(__filename)('../../console/src/app/host-in') as {
  hostIn: (text: string) => string | null;
};

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
