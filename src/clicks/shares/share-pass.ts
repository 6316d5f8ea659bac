import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OpenShare } from './share';

/** A reader enters the password again after half a day. */
const passSeconds = 12 * 3600;

const cookie = 'signpost_share';

/** Returns the cookie of a reader who entered the password now. */
export function passCookie(share: OpenShare, token: string, pepper: string, now: number): string {
  const pass = passOf(share, pepper, now + passSeconds * 1000);
  return `${cookie}=${pass}; Path=/shared/${token}; Max-Age=${passSeconds}; HttpOnly; SameSite=Lax`;
}

/** Returns whether the header `Cookie` proves that the reader entered the password. */
export const hasPass = (cookies: string | undefined, share: OpenShare, pepper: string, now: number): boolean =>
  isPass(new RegExp(`(?:^|; )${cookie}=([^;]*)`).exec(cookies ?? '')?.[1], share, pepper, now);

/**
 * Returns the value of the cookie of a reader who entered the password. It ends with the password, and it proves nothing for
 * another share.
 */
function passOf(share: OpenShare, pepper: string, endsAt: number): string {
  const proof = createHmac('sha256', pepper)
    .update(`share:${share.id}:${share.passwordHash!.toString('hex')}:${endsAt}`)
    .digest('base64url');
  return `${endsAt}.${proof}`;
}

function isPass(pass: string | undefined, share: OpenShare, pepper: string, now: number): boolean {
  const endsAt = Number(/^(\d{13})\./.exec(pass ?? '')?.[1]);
  if (!(endsAt > now)) return false;
  const [sent, expected] = [Buffer.from(pass!), Buffer.from(passOf(share, pepper, endsAt))];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
