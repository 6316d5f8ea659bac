import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const saltBytes = 16;
const keyBytes = 32;

/** 32 MiB and some 60 ms per password (OWASP Password Storage, 2025: N 2^15 with p 3, or fewer attempts). Attempts are limited. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };

export async function hashPassword(password: string): Promise<Buffer> {
  const salt = randomBytes(saltBytes);
  return Buffer.concat([salt, await derive(password, salt)]);
}

export async function isPassword(password: string, hash: Buffer): Promise<boolean> {
  return timingSafeEqual(await derive(password, hash.subarray(0, saltBytes)), hash.subarray(saltBytes));
}

/** Derives in a thread of libuv. Composed and decomposed letters are alike, because keyboards differ in them. */
const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
