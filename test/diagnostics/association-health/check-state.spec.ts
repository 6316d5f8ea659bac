import { checkIntervalsMs, outcomeOf } from '../../../src/diagnostics/association-health/check-state';

const { healthy, failed } = checkIntervalsMs;

test.each<[name: string, failures: number, isFailing: boolean, errors: number | null, ...ReturnType<typeof flat>]>([
  ['a success', 0, false, 0, 0, false, healthy, null],
  ['the first failure', 0, false, 2, 1, false, failed, null],
  ['a success after one failure', 1, false, 0, 0, false, healthy, null],
  ['the second failure', 1, false, 1, 2, true, failed, 'domain.association_failed'],
  ['a further failure', 2, true, 1, 3, true, failed, null],
  ['a success after an event', 3, true, 0, 0, false, healthy, 'domain.association_restored'],
  ['no result', 1, false, null, 1, false, healthy, null],
  ['no result of a domain that fails', 2, true, null, 2, true, healthy, null],
])('%s', (_, failures, isFailing, errors, ...expected) => {
  expect(flat(outcomeOf({ failures, isFailing }, errors))).toEqual(expected);
});

const flat = ({ failures, isFailing, pauseMs, event }: ReturnType<typeof outcomeOf>) =>
  [failures, isFailing, pauseMs, event] as const;
