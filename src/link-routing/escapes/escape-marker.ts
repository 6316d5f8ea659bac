import type { EscapeTable } from './browser-escapes';
import type { EmbeddedBrowser } from './embedded-browser';

/** A marker is valid in the period of its page and in the next one, so for 10 to 20 minutes. */
export const markerPeriodMs = 10 * 60_000;

const periodOf = (now: number): number => Math.floor(now / markerPeriodMs);

/**
 * Returns the value of `_via` in the URL behind a measured way. It names the way and the versions, and no visitor. It is not signed,
 * because everyone can get one by a request with the user agent of an app.
 */
export const markedVia = (way: string, { app, platform, version, system }: EmbeddedBrowser, now: number): string =>
  ['browser-page', way, platform, encodeURIComponent(app), version, system, periodOf(now).toString(36)].join('~');

const form = /^(?:ipad-)?browser-page~([a-z0-9_]+)~(ios|android)~([^~]+)~([0-9]{1,4})~([0-9]{1,4})~([0-9a-z]{1,10})$/;

/** Returns the way of the table by which a visitor left an app; null without a valid marker, because anyone can write one. */
export function markedEscapeOf(
  via: string,
  { rows }: EscapeTable,
  now: number,
): (EmbeddedBrowser & { way: string }) | null {
  const [, way, platform, app, version, system, period] = form.exec(via) ?? [];
  const age = period === undefined ? NaN : periodOf(now) - parseInt(period, 36);
  if (age !== 0 && age !== 1) return null;
  const row = rows.find((one) => one.way === way && one.platform === platform && encodeURIComponent(one.app) === app);
  return row
    ? { app: row.app, platform: row.platform, way: row.way, version: Number(version), system: Number(system) }
    : null;
}
