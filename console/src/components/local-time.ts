/** Returns a time in the form of `datetime-local`, in the time zone of the browser. */
export function localTime(utc: string | null): string {
  const at = new Date(utc ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
}

/** Returns a time of the browser's time zone in UTC; null if it is not complete. */
export const utcTime = (local: string): string | null => {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
};
