import { platformOf } from '../../src/link-traffic/visitor';

const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0';

test.each([
  // iOS
  [
    'iPhone Safari',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${safari} Version/17.5 Mobile/15E148 Safari/604.1`,
    'ios',
  ],
  [
    'iPad that says so',
    `Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) ${safari} Version/12.1 Mobile/15E148 Safari/604.1`,
    'ios',
  ],
  ['iPod', `Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X) ${safari} Mobile/16A`, 'ios'],
  [
    'Chrome on iPhone',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${safari} CriOS/130.0 Mobile/15E148 Safari/604.1`,
    'ios',
  ],
  [
    'Chrome on iPad asking for desktop sites',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} CriOS/130 Version/17.5 Safari/605.1.15`,
    'ios',
  ],
  [
    'Instagram on iPhone',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${safari} Mobile/15E148 Instagram 330.0`,
    'ios',
  ],
  [
    'Facebook on iPhone',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${safari} Mobile/15E148 [FBAN/FBIOS;FBAV/450]`,
    'ios',
  ],
  // Android
  ['Chrome on a phone', `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${chrome} Mobile Safari/537.36`, 'android'],
  ['Chrome on a tablet', `Mozilla/5.0 (Linux; Android 13; SM-X700) ${chrome} Safari/537.36`, 'android'],
  ['Firefox on a phone', 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0', 'android'],
  [
    'Facebook on Android',
    `Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) ${chrome} Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/450]`,
    'android',
  ],
  [
    'Samsung Internet',
    `Mozilla/5.0 (Linux; Android 13; SM-G991B) AppleWebKit/537.36 SamsungBrowser/25.0 Chrome/121 Mobile Safari/537.36`,
    'android',
  ],
  [
    'a phone with "SM-R" nowhere near a watch',
    `Mozilla/5.0 (Linux; Android 13; SM-A546B) ${chrome} Mobile Safari/537.36`,
    'android',
  ],
  // Desktop, and what counts as it
  ['Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'desktop'],
  ['macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Version/17.5 Safari/605.1.15`, 'desktop'],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'desktop'],
  ['ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'desktop'],
  [
    'Windows Phone in disguise',
    'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 like iPhone',
    'desktop',
  ],
  ['Android TV', `Mozilla/5.0 (Linux; Android 11; BRAVIA 4K VH2) ${chrome} Safari/537.36`, 'desktop'],
  ['Fire TV', `Mozilla/5.0 (Linux; Android 9; AFTMM) ${chrome} Safari/537.36`, 'desktop'],
  ['a games console', 'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15', 'desktop'],
  ['a watch', `Mozilla/5.0 (Linux; Android 11; SM-R890) ${chrome} Mobile Safari/537.36`, 'desktop'],
  ['curl', 'curl/8.5.0', 'desktop'],
  ['nothing', undefined, 'desktop'],
])('%s', (_, userAgent, platform) => {
  expect(platformOf({ userAgent, clientHint: undefined })).toBe(platform);
});

test.each([
  ['"Android"', 'a desktop user agent', 'android'],
  ['"iOS"', 'a desktop user agent', 'ios'],
  ['"Windows"', 'Mozilla/5.0 (Linux; Android 14)', 'desktop'],
  ['"macOS"', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5)', 'desktop'],
  ['"Unknown"', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5)', 'ios'],
  ['', 'Mozilla/5.0 (Linux; Android 14)', 'android'],
  ['"Android"', 'Mozilla/5.0 (Linux; Android 11; BRAVIA 4K)', 'desktop'],
])('the stated platform %s goes before "%s"', (clientHint, userAgent, platform) => {
  expect(platformOf({ userAgent, clientHint })).toBe(platform);
});

test('a user agent of 8 kB is read in no time worth speaking of', () => {
  const long = 'Watch AFT CFNetwork/ '.repeat(400);
  const startedAt = performance.now();
  for (let round = 0; round < 100; round++) platformOf({ userAgent: long, clientHint: undefined });
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
