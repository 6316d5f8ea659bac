import type { CustomDomain } from './custom-domain';

export const recordPurposes = ['ownership', 'address'] as const;
export const recordStates = ['ok', 'missing', 'different', 'unknown'] as const;
export type RecordState = (typeof recordStates)[number];

/** A DNS record that a domain needs, compared with the DNS. */
export interface RecordCheck {
  purpose: (typeof recordPurposes)[number];
  type: 'TXT' | 'CNAME';
  name: string;
  /** Null if the operator has not set the host that domains point to. */
  value: string | null;
  /** Addresses for A and AAAA records, where a CNAME is not allowed. */
  addresses: readonly string[];
  found: readonly string[];
  state: RecordState;
}

/** Values in the DNS; null if it did not answer. */
type Found = readonly string[] | null;

/** @param texts TXT records of the record's name */
export function ownershipCheck(domain: CustomDomain, texts: string[] | null): RecordCheck {
  const state = texts === null ? 'unknown' : domain.isVerifiedBy(texts) ? 'ok' : missingOrDifferent(texts);
  return { purpose: 'ownership', type: 'TXT', ...domain.record, addresses: [], found: texts ?? [], state };
}

/**
 * Accepts a CNAME to the target, and addresses that are all the target's. The top of a zone has no CNAME, and a CNAME may lead to the
 * target through others.
 *
 * @param target null if the operator has not set it; then only a missing record is certain
 */
export function addressCheck(
  hostname: string,
  target: { host: string; addresses: Found } | null,
  { aliases, addresses }: { aliases: Found; addresses: Found },
): RecordCheck {
  const values = aliases && aliases.length > 0 ? aliases : (addresses ?? []);
  return {
    purpose: 'address',
    type: 'CNAME',
    name: hostname,
    value: target?.host ?? null,
    addresses: target?.addresses ?? [],
    found: values,
    state: addressState(target, aliases, addresses),
  };
}

function addressState(
  target: { host: string; addresses: Found } | null,
  aliases: Found,
  addresses: Found,
): RecordState {
  if (target && aliases?.includes(target.host)) return 'ok';
  if (aliases === null || addresses === null) return 'unknown';
  if (aliases.length === 0 && addresses.length === 0) return 'missing';
  const expected = target?.addresses ?? null;
  if (expected === null) return 'unknown';
  if (addresses.length > 0 && addresses.every((address) => expected.includes(address))) return 'ok';
  return 'different';
}

const missingOrDifferent = (values: readonly string[]): RecordState => (values.length === 0 ? 'missing' : 'different');
