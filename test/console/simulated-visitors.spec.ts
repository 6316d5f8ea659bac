import { load } from './load';

const { momentOf, simulateQueryOf, visitorsFor, visitsOf } = load('rules/simulated-visitors');

const rule = (when: object) => ({ when, then: { app: true } });
const systems = ['ios', 'android', 'desktop'];

test.each<[what: string, rules: object[], countries: string[], languages: string[]]>([
  ['conditions on neither', [rule({ qr: true })], [], []],
  ['a country, and one that no rule names', [rule({ countries: ['DE'] })], ['DE', 'US'], []],
  ['a language of two rules', [rule({ languages: ['en'] }), rule({ languages: ['en', 'de'] })], [], ['en', 'de', 'ja']],
  ['the first three countries', [rule({ countries: ['US', 'AT', 'CH', 'FR'] })], ['US', 'AT', 'CH', 'DE'], []],
])('the visitors of rules have %s', (_, rules, countries, languages) => {
  expect(visitorsFor(rules)).toEqual({ platforms: systems, countries, languages, times: [] });
});

test('each combination is a visitor', () => {
  const visitors = { platforms: systems, countries: ['DE', 'US'], languages: [], times: ['2026-12-24', '2026-12-25'] };
  expect(visitsOf(visitors)).toBe(12);
  expect(simulateQueryOf(visitors)).toEqual({
    platform: systems,
    country: ['DE', 'US'],
    at: [new Date('2026-12-24T00:00').toISOString(), new Date('2026-12-25T00:00').toISOString()],
  });
});

test.each<[text: string, local: string | null]>([
  ['2026-12-24', '2026-12-24T00:00'],
  [' 2026-12-24 18:30 ', '2026-12-24T18:30'],
  ['2026-12-24T18:30:05', '2026-12-24T18:30:05'],
  ['24.12.2026', null],
  ['2026-13-01', null],
  ['2026-12-24 25:00', null],
  ['tomorrow', null],
])('the time %j is that of the browser', (text, local) => {
  expect(momentOf(text)).toBe(local && new Date(local).toISOString());
});
