import { withParameters } from '../../../src/link-routing/visited-link/query-merge';
import { visitorOf } from '../../../src/link-routing/visitor/visitor';
import { processorTimeOf } from '../../support/processor-time';

// Each makes a pattern of this service or of `isbot` restart repeatedly.
test.each([
  'Watch AFT CFNetwork/ ',
  'DuckDuckGo/1111',
  'Mozilla/5.0 (',
  '1.1.',
  'a/1.0',
  '@a',
  'Smart- Google Apple ',
  'Mozilla/5.0 (Android; wv ',
  'Mozilla/5.0 (iPhone Mobile',
  'FB FBA Snapchat Twitter for ',
  'LinkPreview',
  '(Linux OPR/1. Chrome/1. Puffin/1.1.1',
  '[WAab Discord-Android',
  'bot-google/ TV smart TV',
  '; a',
  '((((',
  ' ',
  'a',
])('8 kB of "%s" are classified quickly', (piece) => {
  const long = piece.repeat(8192 / piece.length);
  const took = processorTimeOf(() => {
    for (let round = 0; round < 50; round++) visitorOf({ userAgent: `${round}${long}`, clientHint: long });
    for (let round = 0; round < 50; round++) visitorOf({ userAgent: `Mozilla/5.0 (${long}`, clientHint: undefined });
  });
  expect(took / 100).toBeLessThan(50);
});

test('a visitor who repeats a name of the destination costs no more than one who sends other names', () => {
  const names = Array.from({ length: 900 }, (_, n) => `p${n}`);
  const destination = `https://e.com/?${names.join('&')}`;
  /** Returns the shortest of ten times, because the machine may be busy. */
  const costOf = (visitor: string): number =>
    Math.min(...Array.from({ length: 10 }, () => processorTimeOf(() => withParameters(destination, [], visitor))));
  const others = Array.from({ length: 5000 }, (_, n) => `x${n}`);
  const repeated = others.map(() => 'p899');
  expect(costOf(['p899', ...repeated].join('&'))).toBeLessThan(5 * costOf(['p899', ...others].join('&')));
});
