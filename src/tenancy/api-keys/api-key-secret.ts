import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefixes = { secret: 'svc_live_', publishable: 'svc_pub_' };
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 40;
const checksumLength = 6;
const form = new RegExp(
  `^(?:${Object.values(prefixes).join('|')})([0-9A-Za-z]{${randomLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

/** Creates a secret: 40 random characters (238 bits), and a checksum that detects mistyped keys without a look-up. */
export function mintApiKey(publishable = false): string {
  const random = Array.from({ length: randomLength }, () => base62[randomInt(base62.length)]).join('');
  return prefixes[publishable ? 'publishable' : 'secret'] + random + checksum(random);
}

/** Returns whether the text has the form and the checksum of a key. */
export function looksLikeApiKey(text: string): boolean {
  const match = form.exec(text);
  return match !== null && checksum(match[1]!) === match[2];
}

/** Returns the HMAC-SHA-256 of a key under the service's pepper, by which keys are stored and looked up. */
export const digestOfKey = (key: string, pepper: string): Buffer => createHmac('sha256', pepper).update(key).digest();

/** Returns the first characters, by which users distinguish their keys. */
export const shownPrefix = (key: string): string => key.slice(0, key.lastIndexOf('_') + 5);

/** Returns the CRC-32 of the random part as six base62 digits. */
function checksum(random: string): string {
  let rest = crc32(random) >>> 0;
  let digits = '';
  for (let place = 0; place < checksumLength; place++) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
