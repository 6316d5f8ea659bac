import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Pepper } from '../../tenancy/api-keys/pepper';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts tokens of other systems (AES-256-GCM) with a key that is derived from `API_KEY_PEPPER`, which the database does not have. */
export class TokenSeal {
  readonly #key: Buffer;

  constructor({ value }: Pepper) {
    this.#key = Buffer.from(hkdfSync('sha256', value, '', 'signpost import tokens', 32));
  }

  /** @param importId the only import that can use the result */
  seal(token: string, importId: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(importId));
    const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]);
  }

  /** Returns null if the key has changed. */
  open(sealed: Buffer, importId: string): string | null {
    const decipher = createDecipheriv(algorithm, this.#key, sealed.subarray(0, nonceBytes))
      .setAAD(Buffer.from(importId))
      .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return null;
    }
  }
}
