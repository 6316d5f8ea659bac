import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Half of the salt is in the journal. */
const saltBytes = 16;
const keyBytes = 32;

/** 32 MiB and some 60 ms per password (OWASP Password Storage, 2025: N 2^15 with p 3, or fewer attempts). Attempts are limited. */
export const passwordCost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };

export async function hashPassword(password: string): Promise<Buffer> {
  const salt = randomBytes(saltBytes);
  return Buffer.concat([salt, await derive(password, salt, 'store')]);
}

/** Returns whether the hash is that of the password. A hash that the journal has cut is that of none. */
export async function isPassword(password: string, hash: Buffer): Promise<boolean> {
  if (hash.length !== saltBytes + keyBytes) return false;
  return timingSafeEqual(await derive(password, hash.subarray(0, saltBytes), 'check'), hash.subarray(saltBytes));
}

/** New passwords wait for each other, and visitors for visitors, so that a bulk request delays no visitor. Two threads of libuv stay free. */
const lanes: Record<'store' | 'check', Promise<unknown>> = { store: Promise.resolve(), check: Promise.resolve() };

/** Derives in a thread of libuv, after earlier passwords. Composed and decomposed letters are alike, because keyboards differ in them. */
function derive(password: string, salt: Buffer, lane: keyof typeof lanes): Promise<Buffer> {
  const derived = lanes[lane].then(() => scryptKey(password.normalize('NFC'), salt));
  lanes[lane] = derived.catch(() => {}); // the caller gets the error
  return derived;
}

const scryptKey = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, passwordCost, (error, key) => (error ? reject(error) : resolve(key)));
  });
