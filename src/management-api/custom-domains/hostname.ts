import { domainToASCII } from 'node:url';
import { refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';

/** A host name as a `Host` header has it: lower case, internationalised labels as A-labels (RFC 5890), no final dot. */
export type Hostname = string & { readonly brand: 'Hostname' };

/** The label under which a domain's owner proves it. The underscore keeps it from being a host of anybody's (RFC 8552). */
const challengeLabel = '_link-domain-challenge';

export const challengeNameOf = (hostname: Hostname): string => `${challengeLabel}.${hostname}`;

/** Characters of a name in the DNS (RFC 1035, section 2.3.4), less what stands in front of it in the challenge's name. */
const maxLength = 253 - `${challengeLabel}.`.length;

/** Letters, digits and hyphens (RFC 1123, section 2.1), 63 a label; the last label has no digit first, as in no address. */
const form = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Names that mean something else in every network, or nothing (RFC 2606, 6761, 6762, 7686 and 9476, ICANN, and habit). */
const special =
  /(?:^|\.)(?:localhost|local|internal|test|example|invalid|onion|alt|arpa|localdomain|lan|home|corp|mail|intranet|private)$/;

const given = text({ min: 1, max: 253 });

/**
 * A host name that the whole internet can ask for. Any letter case, internationalised names and a final dot are taken and
 * normalised; ports, URLs, addresses, wildcards, underscores and single labels are refused.
 */
export const hostname = new Rule<Hostname>(given.schema, (value) => {
  const reading = given.read(value);
  if ('problems' in reading) return reading;
  // What the conversion would read as the end of a host, or decode.
  const plain = /^[a-z0-9.\-\u0080-\u{10ffff}]*$/iu.test(reading.value);
  const ascii = (plain ? domainToASCII(reading.value) : '').replace(/\.$/, '');
  if (ascii.length > maxLength) return refused('too_big', `must have at most ${maxLength} characters`);
  if (!form.test(ascii)) return refused('invalid_format', 'must be a host name such as links.example.com');
  if (special.test(ascii)) return refused('invalid_format', 'must be a host name of the public internet');
  return { value: ascii as Hostname };
});
