import { randomUUID } from 'node:crypto';

const acceptableId = /^[A-Za-z0-9._-]{1,128}$/;

export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && acceptableId.test(header) ? header : randomUUID();
}
