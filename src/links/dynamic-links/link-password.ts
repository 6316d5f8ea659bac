import { InvalidInput } from '../../shared/problem';
import { hashPassword } from '../../shared/password-hash';
import type { Hashed } from './dynamic-link';

/** Passwords of one request. Each takes some 60 ms of a thread. */
const maxPasswords = 100;

/** Returns the fields as they are stored. An absent password stays absent, and null stays null. */
export async function withPasswordHash<F extends { password?: string | null }>(fields: F): Promise<Hashed<F>> {
  const { password, ...others } = fields;
  if (password === undefined) return others;
  return { ...others, passwordHash: password === null ? null : await hashPassword(password) };
}

/**
 * @param operations as sent
 * @throws InvalidInput if they set too many passwords for one request
 */
export function requireFewPasswords(operations: readonly unknown[]): void {
  const passwords = operations.filter((operation) => {
    const sent = operation as { link?: { password?: unknown } } | null;
    return typeof sent?.link?.password === 'string';
  });
  if (passwords.length > maxPasswords)
    throw InvalidInput.asAWhole('too_big', `A request must set at most ${maxPasswords} passwords`, ['operations']);
}
