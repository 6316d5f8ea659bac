/** Checks in succession that must fail before the failure is an event, because a host can be unreachable for a moment. */
export const failuresUntilEvent = 2;

/** The interval of checks, and the shorter one after a failure. A changed file can be cached for five minutes. */
export const checkIntervalsMs = { healthy: 3_600_000, failed: 600_000 };

export interface CheckState {
  /** Failed checks since the last success. */
  failures: number;
  /** Whether the last event is that of a failure. */
  isFailing: boolean;
}

export interface CheckOutcome extends CheckState {
  pauseMs: number;
  event: 'domain.association_failed' | 'domain.association_restored' | null;
}

/** @param errors the number of errors that the check found; null without a result */
export function outcomeOf({ failures, isFailing }: CheckState, errors: number | null): CheckOutcome {
  const { healthy, failed } = checkIntervalsMs;
  if (errors === null) return { failures, isFailing, pauseMs: healthy, event: null };
  if (errors === 0)
    return { failures: 0, isFailing: false, pauseMs: healthy, event: isFailing ? 'domain.association_restored' : null };
  const isEvent = !isFailing && failures + 1 >= failuresUntilEvent;
  return {
    failures: failures + 1,
    isFailing: isFailing || isEvent,
    pauseMs: failed,
    event: isEvent ? 'domain.association_failed' : null,
  };
}
