import { randomUUID } from 'node:crypto';

const acceptableId = /^[A-Za-z0-9._-]{1,128}$/;

export function requestIdFrom(given: string | string[] | undefined): string {
  return typeof given === 'string' && acceptableId.test(given) ? given : randomUUID();
}
