import { destinationUrl } from '../../src/shared/destination-url';
import { parseUrl } from '../../src/shared/url';

test.each(['', '/path', 'https://', 'https://a b/', 'no scheme', 'https://[::1'])('%j is no URL', (text) => {
  expect(parseUrl(text)).toBeNull();
});

test('a URL with Latin-1 characters is parsed after a million others', () => {
  for (let times = 0; times < 1_000_000; times++) parseUrl('https://bücher.example');
  expect(parseUrl('https://bücher.example')?.href).toBe('https://xn--bcher-kva.example/');
  for (let times = 0; times < 100_000; times++) destinationUrl.tryParse('https://bücher.example');
  expect(destinationUrl.tryParse('https://bücher.example')).toBe('https://xn--bcher-kva.example/');
});
