import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OpenShare } from './share';

/** A reader enters the password again after half a day. */
export const passSeconds = 12 * 3600;

/**
 * Returns the value of the cookie of a reader who entered the password. It ends with the password, and it proves nothing for
 * another share.
 */
export function passOf(share: OpenShare, pepper: string, endsAt: number): string {
  const proof = createHmac('sha256', pepper)
    .update(`share:${share.id}:${share.passwordHash!.toString('hex')}:${endsAt}`)
    .digest('base64url');
  return `${endsAt}.${proof}`;
}

export function isPass(pass: string | undefined, share: OpenShare, pepper: string, now: number): boolean {
  const endsAt = Number(/^(\d{13})\./.exec(pass ?? '')?.[1]);
  if (!(endsAt > now)) return false;
  const [sent, expected] = [Buffer.from(pass!), Buffer.from(passOf(share, pepper, endsAt))];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
