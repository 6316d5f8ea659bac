import { randomBytes } from 'node:crypto';
import { challengeNameOf, type Hostname } from './hostname';

/** A host name of a customer, on which a project answers once it is proved to be the customer's. */
export class CustomDomain {
  readonly id: string;
  readonly projectId: string;
  readonly hostname: Hostname;
  /** What the TXT record must say. */
  readonly challenge: string;
  /** The project's links are on it. */
  readonly active: boolean;
  /** Null while it is not proved. */
  readonly verifiedAt: Date | null;
  /** When the record was last looked for and the DNS gave an answer. */
  readonly checkedAt: Date | null;
  /** Since when the DNS says that the record is not there. */
  readonly recordMissingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewCustomDomain = Pick<CustomDomain, 'id' | 'projectId' | 'hostname' | 'challenge'>;

export const statuses = ['pending', 'verified', 'active'] as const;
export type CustomDomainStatus = (typeof statuses)[number];

export const statusOf = ({ active, verifiedAt }: CustomDomain): CustomDomainStatus =>
  active ? 'active' : verifiedAt ? 'verified' : 'pending';

/** 160 random bits, in characters that survive every DNS provider's form. */
export const newChallenge = (): string => randomBytes(20).toString('hex');

export interface TxtRecord {
  name: string;
  value: string;
}

/** The record that proves the domain. */
export const recordOf = ({ hostname, challenge }: Pick<CustomDomain, 'hostname' | 'challenge'>): TxtRecord => ({
  name: challengeNameOf(hostname),
  value: challenge,
});
