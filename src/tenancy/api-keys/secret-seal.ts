import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Pepper } from './pepper';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts secrets that the service must read again (AES-256-GCM). Their key is derived from `API_KEY_PEPPER`, which the database does not have. */
export class SecretSeal {
  readonly #key: Buffer;

  constructor({ value }: Pepper) {
    this.#key = Buffer.from(hkdfSync('sha256', value, '', 'signpost sealed secrets', 32));
  }

  /** @param ownerId id of the only resource that can use the result */
  seal(secret: string, ownerId: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(ownerId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]);
  }

  /** Returns null if the key has changed. */
  open(sealed: Buffer, ownerId: string): string | null {
    const decipher = createDecipheriv(algorithm, this.#key, sealed.subarray(0, nonceBytes))
      .setAAD(Buffer.from(ownerId))
      .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return null;
    }
  }
}
