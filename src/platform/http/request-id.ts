import { randomUUID } from 'node:crypto';

const acceptableId = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's own id where it is harmless to write back and to log, else a new one. */
export function requestIdFrom(given: string | string[] | undefined): string {
  return typeof given === 'string' && acceptableId.test(given) ? given : randomUUID();
}
