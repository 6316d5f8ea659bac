import { resultOf } from '../../../src/management-api/custom-domains/domain-check';

const hour = 3_600_000;
const day = 24 * hour;
const settings = { recheckInterval: day, grace: 7 * day };
const now = Date.UTC(2026, 5, 10);
const at = (ahead: number): Date => new Date(now + ahead);

interface Row {
  situation: string;
  texts: string[] | null;
  missingSince: Date | null;
  expected: ReturnType<typeof resultOf>;
}

test.each<Row>([
  {
    situation: 'is found',
    texts: ['other', 'mine'],
    missingSince: null,
    expected: { result: 'found', checked: { at: at(0), recordMissingSince: null }, nextCheckAt: at(day) },
  },
  {
    situation: 'is found after it was missing',
    texts: ['mine'],
    missingSince: at(-8 * day),
    expected: { result: 'found', checked: { at: at(0), recordMissingSince: null }, nextCheckAt: at(day) },
  },
  {
    situation: 'is missing',
    texts: [],
    missingSince: null,
    expected: { result: 'missing', checked: { at: at(0), recordMissingSince: at(0) }, nextCheckAt: at(day) },
  },
  {
    situation: 'has another value',
    texts: ['Mine', 'mine ', 'theirs'],
    missingSince: null,
    expected: { result: 'missing', checked: { at: at(0), recordMissingSince: at(0) }, nextCheckAt: at(day) },
  },
  {
    situation: 'is still missing, which is checked again at the end of the grace period',
    texts: [],
    missingSince: at(-6.5 * day),
    expected: {
      result: 'missing',
      checked: { at: at(0), recordMissingSince: at(-6.5 * day) },
      nextCheckAt: at(day / 2),
    },
  },
  {
    situation: 'is missing for the grace period',
    texts: [],
    missingSince: at(-7 * day),
    expected: { result: 'lost', checked: { at: at(0), recordMissingSince: at(-7 * day) }, nextCheckAt: null },
  },
  {
    situation: 'cannot be queried',
    texts: null,
    missingSince: null,
    expected: { result: 'unanswered', nextCheckAt: at(hour) },
  },
  {
    situation: 'cannot be queried after the grace period',
    texts: null,
    missingSince: at(-30 * day),
    expected: { result: 'unanswered', nextCheckAt: at(hour) },
  },
])('a record that $situation', ({ texts, missingSince, expected }) => {
  const domain = { challenge: 'mine', recordMissingSince: missingSince };
  expect(resultOf(domain, texts, now, settings)).toEqual(expected);
});

test('a missing record is lost at once without a grace period', () => {
  const domain = { challenge: 'mine', recordMissingSince: null };
  expect(resultOf(domain, [], now, { ...settings, grace: 0 })).toMatchObject({ result: 'lost', nextCheckAt: null });
});
