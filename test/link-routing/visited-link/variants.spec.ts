import { createHash } from 'node:crypto';
import { decideAnswer, variantOf } from '../../../src/link-routing/answers/destination';
import { compileLink, matchingRule } from '../../../src/link-routing/visited-link/ruled-link';
import { chosenVariant, firstVariant } from '../../../src/link-routing/visited-link/variants';
import type { DestinationUrl } from '../../../src/shared/destination-url';
import type { Platform } from '../../../src/link-routing/visitor/device-platform';
import type { RuleFacts } from '../../../src/link-routing/visited-link/rules';
import { webPlatforms } from '../../../src/link-paths/rules/web-platforms';
import { aVisitedIosApp, aVisitedLink, aVisitedProject, aVisitor } from '../builders';

const visitors = 100_000;
const hashes = Array.from({ length: visitors }, (_, at) => createHash('sha256').update(`visitor ${at}`).digest());

const weighted = (...weights: number[]) => weights.map((weight, at) => ({ name: 'ABCDE'[at]!, weight }));
const chosen = (weights: number[]) => hashes.map((hash) => chosenVariant(weighted(...weights), hash).name);
const sharesOf = (names: string[]) =>
  Object.fromEntries(
    [...new Set(names)].sort().map((name) => [name, names.filter((one) => one === name).length / visitors]),
  );

const shares: [weights: number[], expected: Record<string, number>][] = [
  [[1, 1], { A: 0.5, B: 0.5 }],
  [[100, 100], { A: 0.5, B: 0.5 }],
  [[90, 10], { A: 0.9, B: 0.1 }],
  [[10, 90], { A: 0.1, B: 0.9 }],
  [[99, 1], { A: 0.99, B: 0.01 }],
  [[1, 2, 3], { A: 1 / 6, B: 1 / 3, C: 1 / 2 }],
  [[20, 20, 20, 20, 20], { A: 0.2, B: 0.2, C: 0.2, D: 0.2, E: 0.2 }],
  [[50, 0, 50], { A: 0.5, C: 0.5 }],
  [[0, 1], { B: 1 }],
];

// Five standard deviations of the share of 100,000 visitors are at most 0.008.
test.each(shares)('weights of %j have these shares', (weights, expected) => {
  const counted = sharesOf(chosen(weights));
  expect(Object.keys(counted)).toEqual(Object.keys(expected));
  for (const [name, share] of Object.entries(expected)) expect(Math.abs(counted[name]! - share)).toBeLessThan(0.008);
});

test.each<[what: string, before: number[], after: number[]]>([
  ['the end of the first', [50, 50], [0, 50]],
  ['the end of the second', [30, 20, 50], [30, 0, 50]],
  ['the end of the last', [10, 20, 30, 20, 20], [10, 20, 30, 20, 0]],
  // Only those move who get the variant with the larger weight.
  ['a larger weight', [50, 50], [50, 100]],
])('%s, from %j to %j, moves no visitor between other variants', (_, before, after) => {
  const [then, now] = [chosen(before), chosen(after)];
  const changed = weighted(...after).filter(({ weight }, at) => weight !== before[at]);
  const moved = now.filter(
    (name, at) => name !== then[at] && !changed.some((one) => [name, then[at]].includes(one.name)),
  );
  expect(moved).toEqual([]);
  expect(now).not.toEqual(then);
});

test('robots get the first variant that people get', () => {
  expect(firstVariant(weighted(0, 5, 1)).name).toBe('B');
});

const to = (name: string) => `https://shop.example.com/${name}` as DestinationUrl;
const variants = ['A', 'B'].map((name) => ({ name, url: to(name), weight: 1 }));
const otherVariants = ['C', 'D'].map((name) => ({ name, url: to(name), weight: 1 }));
const project = aVisitedProject({ iosApps: new Map([['ios', aVisitedIosApp({ appstoreId: '42' })]]) });
const facts = {} as RuleFacts;

type Then = object | null;
const places: [
  name: string,
  fields: object,
  then: Then,
  platform: Platform,
  variant: string | null,
  location: string,
][] = [
  ['of the link', {}, null, 'desktop', 'B', to('B')],
  ['of the link, without another destination', {}, null, 'android', 'B', to('B')],
  ['of the link, beside that of a platform', { iosFallbackUrl: to('ios') }, null, 'ios', null, to('ios')],
  ['of the link, beside the same destination', { iosFallbackUrl: to('B') }, null, 'ios', null, to('B')],
  ['of the link, beside a store', { iosAppId: 'ios' }, null, 'ios', null, 'https://apps.apple.com/app/id42'],
  ['of a rule', { iosFallbackUrl: to('ios') }, { variants: otherVariants }, 'ios', 'D', to('D')],
  ['of a rule, with parameters', {}, { variants: otherVariants, params: { a: '1' } }, 'desktop', 'D', to('D?a=1')],
  ['of the link, beside a rule', {}, { url: to('rule') }, 'desktop', null, to('rule')],
  ['of the link, by a rule for the app link', { iosFallbackUrl: to('ios') }, { app: true }, 'ios', null, to('ios')],
  ['of the link, by a rule for a store', { iosFallbackUrl: to('ios') }, { store: true }, 'ios', 'B', to('B')],
];

test.each(places)('a variant %s', (_, fields, then, platform, variant, location) => {
  const stored = {
    variants: JSON.stringify(variants),
    rules: then && JSON.stringify([{ when: {}, then }]),
  };
  const link = compileLink(aVisitedLink({ desktopUrl: to('own'), ...fields }), stored, 'sale');
  const ruled = matchingRule(link.rules ?? [], facts)?.link ?? link;
  const decided = ruled.variants?.[1]?.link ?? ruled;
  const answer = decideAnswer(project, decided, aVisitor(platform), '', false);
  expect([variantOf(answer), answer]).toEqual([variant, expect.objectContaining({ kind: 'redirect', location })]);
});

test('a page that leads to a variant counts for it', () => {
  const link = compileLink(
    aVisitedLink({ iosAppId: 'ios' }),
    {
      variants: null,
      rules: JSON.stringify([
        { when: { platforms: ['ios'] }, then: { variants } },
        { when: {}, then: { app: true } },
      ]),
    },
    'sale',
  );
  const [rule] = link.rules!;
  const visitor = aVisitor('ios', { inAppBrowser: true });
  const offering = { ...rule!.link.variants![0]!.link, iosAppId: 'ios' };
  const answer = decideAnswer(project, offering, visitor, '', false);
  expect([answer.kind, variantOf(answer)]).toEqual(['in-app-browser', 'A']);
});

test('variants without one that people get leave the link as it is', () => {
  const stored = JSON.stringify([
    { name: 'A', url: 'javascript:1', weight: 1 },
    { name: 'B', url: to('b'), weight: 0 },
  ]);
  expect(compileLink(aVisitedLink(), { variants: stored, rules: null }, 'sale').variants).toBeNull();
});

test('a split keeps the path out of association files as its single destination would', () => {
  const when = { platforms: ['ios' as const, 'ipados' as const] };
  expect(webPlatforms([{ when, then: { variants } }])).toEqual(webPlatforms([{ when, then: { url: to('A') } }]));
  expect(webPlatforms([{ when, then: { variants } }])).toEqual({ ios: true, android: false });
});
