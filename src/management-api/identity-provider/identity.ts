import { createHash } from 'node:crypto';

/** A person as a token names them, and the account that it puts them into. */
export interface Identity {
  accountId: string;
  issuer: string;
  /** Unique within its issuer. */
  subject: string;
  email: string | null;
}

/** One name for all tokens of a person in an account, by which their requests are counted. It tells nothing of them. */
export const digestOf = ({ accountId, issuer, subject }: Identity): string =>
  createHash('sha256')
    .update(JSON.stringify([accountId, issuer, subject]))
    .digest('hex');
