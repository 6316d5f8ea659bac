import { createHash, randomBytes } from 'node:crypto';

/** Shares of a project, expired ones included. */
export const maxShares = 50;

export const maxShareDays = 366;

const tokenBytes = 32;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** A page with statistics that everybody can read who knows its address. */
export interface Share {
  readonly id: string;
  readonly projectId: string;
  /** The title of the page. */
  readonly name: string;
  /** Null with `tagId` null: the whole project. */
  readonly dynamicLinkId: string | null;
  readonly tagId: string | null;
  readonly timezone: string;
  readonly passwordHash: Buffer | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export type NewShare = Omit<Share, 'createdAt'>;

/** A share that is neither expired nor stopped with its account, and what its page needs. */
export interface OpenShare extends Share {
  accountId: string;
  tagName: string | null;
}

/** Creates the random part of an address: 256 bits. */
export const mintShareToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** Returns the digest by which shares are stored and looked up; null if the text has not the form of a token. */
export const digestOfShareToken = (token: string): Buffer | null =>
  tokenForm.test(token) ? createHash('sha256').update(token).digest() : null;
