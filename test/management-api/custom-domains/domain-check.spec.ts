import { resultOf } from '../../../src/management-api/custom-domains/domain-check';

const hour = 3_600_000;
const day = 24 * hour;
const settings = { recheckInterval: day, grace: 7 * day };
const now = Date.UTC(2026, 5, 10);
const at = (ahead: number): Date => new Date(now + ahead);

interface Row {
  what: string;
  texts: string[] | null;
  missingSince: Date | null;
  expected: ReturnType<typeof resultOf>;
}

test.each<Row>([
  {
    what: 'the record stands',
    texts: ['other', 'mine'],
    missingSince: null,
    expected: { result: 'found', checked: { at: at(0), recordMissingSince: null }, nextCheckAt: at(day) },
  },
  {
    what: 'the record is back',
    texts: ['mine'],
    missingSince: at(-8 * day),
    expected: { result: 'found', checked: { at: at(0), recordMissingSince: null }, nextCheckAt: at(day) },
  },
  {
    what: 'the record is gone',
    texts: [],
    missingSince: null,
    expected: { result: 'missing', checked: { at: at(0), recordMissingSince: at(0) }, nextCheckAt: at(day) },
  },
  {
    what: 'the record says something else',
    texts: ['Mine', 'mine ', 'theirs'],
    missingSince: null,
    expected: { result: 'missing', checked: { at: at(0), recordMissingSince: at(0) }, nextCheckAt: at(day) },
  },
  {
    what: 'the record is still gone: the next look is not after the grace time',
    texts: [],
    missingSince: at(-6.5 * day),
    expected: {
      result: 'missing',
      checked: { at: at(0), recordMissingSince: at(-6.5 * day) },
      nextCheckAt: at(day / 2),
    },
  },
  {
    what: 'the grace time is over',
    texts: [],
    missingSince: at(-7 * day),
    expected: { result: 'lost', checked: { at: at(0), recordMissingSince: at(-7 * day) }, nextCheckAt: null },
  },
  {
    what: 'nobody answers',
    texts: null,
    missingSince: null,
    expected: { result: 'unanswered', nextCheckAt: at(hour) },
  },
  {
    what: 'nobody answers after the grace time',
    texts: null,
    missingSince: at(-30 * day),
    expected: { result: 'unanswered', nextCheckAt: at(hour) },
  },
])('$what', ({ texts, missingSince, expected }) => {
  const domain = { challenge: 'mine', recordMissingSince: missingSince };
  expect(resultOf(domain, texts, now, settings)).toEqual(expected);
});

test('without grace time a missing record ends the proof at once', () => {
  const domain = { challenge: 'mine', recordMissingSince: null };
  expect(resultOf(domain, [], now, { ...settings, grace: 0 })).toMatchObject({ result: 'lost', nextCheckAt: null });
});
