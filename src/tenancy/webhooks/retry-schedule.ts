const hourMs = 3_600_000;

/** Attempts at one event end after this time. */
export const retryWindowMs = 72 * hourMs;

const firstPauseMs = 5000;
const maxPauseMs = 8 * hourMs;

/** An endpoint that rejects everything is tried again at least this often, so that its recovery is noticed. */
const maxOutagePauseMs = 600_000;

/** Failed attempts without a success after which an endpoint counts as out of order. Then one event is tried at a time. */
export const outageAfterFailures = 5;

const maxRetryAfterMs = hourMs;

/** @param random from 0 to 1; spreads the attempts by a fifth in each direction */
const jittered = (pauseMs: number, random: number): number => Math.round(pauseMs * (0.8 + 0.4 * random));

/**
 * Returns the pause after a failed attempt at an event; null if the event has been tried for too long.
 * @param attempts at this event so far, at least 1
 * @param ageMs since the first attempt
 * @param retryAfterMs as the receiver asks for; null if it does not
 */
export function pauseAfterAttempt(
  attempts: number,
  ageMs: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  if (ageMs >= retryWindowMs) return null;
  const pause = jittered(Math.min(firstPauseMs * 4 ** (attempts - 1), maxPauseMs), random);
  return Math.max(pause, Math.min(retryAfterMs ?? 0, maxRetryAfterMs));
}

/** Returns the pause of an endpoint that is out of order; null if it is not. */
export function outagePause(failures: number, retryAfterMs: number | null, random: number): number | null {
  if (failures < outageAfterFailures) return null;
  const pause = jittered(Math.min(firstPauseMs * 2 ** (failures - outageAfterFailures), maxOutagePauseMs), random);
  return Math.max(pause, Math.min(retryAfterMs ?? 0, maxRetryAfterMs));
}
