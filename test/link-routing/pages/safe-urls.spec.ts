import { appUrl, browserUrl, otherSchemeUrl, webUrl } from '../../../src/link-routing/pages/safe-urls';

const kinds = { webUrl, appUrl, browserUrl, otherSchemeUrl };
type Kind = keyof typeof kinds;

/** Each address, and the functions that accept it. */
const addresses: readonly (readonly [address: string, acceptedBy: readonly Kind[]])[] = [
  ['https://shop.example.com/sale?a=b#c', ['webUrl', 'appUrl']],
  ['http://127.0.0.1:3001/sale', ['webUrl', 'appUrl']],
  ['https://bücher.example/', ['webUrl', 'appUrl']],
  ['HTTPS://shop.example.com', ['webUrl', 'appUrl']],
  // Browsers ignore white space around and line breaks within a URL.
  [' https://shop.example.com', ['webUrl', 'appUrl']],
  ['ht\ntps://shop.example.com', ['webUrl', 'appUrl']],
  ['intent://shop.example.com/sale#Intent;scheme=https;package=com.example;end', ['appUrl', 'browserUrl']],
  ['x-safari-https://shop.example.com/sale', ['browserUrl', 'otherSchemeUrl']],
  ['x-safari-http://127.0.0.1:3001/sale', ['browserUrl', 'otherSchemeUrl']],
  ['instagram://extbrowser/?url=https%3A%2F%2Fshop.example.com', ['browserUrl', 'otherSchemeUrl']],
  ['mailto:ann@example.com', ['browserUrl', 'otherSchemeUrl']],
  ['shop://sale', ['browserUrl', 'otherSchemeUrl']],
  [' mailto:ann@example.com', []],
  ['mail\nto:ann@example.com', []],
  ['view-source:javascript:alert(1)', []],
  ['javascript:alert(1)', []],
  ['javascript://shop.example.com/%0Aalert(1)', []],
  ['JavaScript:alert(1)', []],
  [' javascript:alert(1)', []],
  ['java\nscript:alert(1)', []],
  ['java\tscript://shop.example.com/%0Aalert(1)', []],
  ['https\u0000://shop.example.com', []],
  ['data:text/html,<script>alert(1)</script>', []],
  ['vbscript://a', []],
  ['file:///etc/passwd', []],
  ['x-safari-javascript://a', ['browserUrl', 'otherSchemeUrl']],
  ['https://', []],
  ['https://[', []],
  ['//shop.example.com', []],
  ['/sale', []],
  ['', []],
];

describe('addresses in pages', () => {
  describe.each(Object.entries(kinds))('%s', (kind, accept) => {
    test.each(addresses)('%j', (address, acceptedBy) => {
      expect(accept(address)).toBe(acceptedBy.includes(kind as Kind) ? address : null);
    });
  });

  test('null is no address', () => {
    expect([webUrl(null), browserUrl(null)]).toEqual([null, null]);
  });
});
