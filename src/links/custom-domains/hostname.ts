import { domainToASCII } from 'node:url';
import { alsoWritten, refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';

/** A host name in lower case, with A-labels (RFC 5890) and without a final dot. */
export type Hostname = string & { readonly brand: 'Hostname' };

/** The label of the record that proves a domain. No host name starts with an underscore (RFC 8552). */
const challengeLabel = '_link-domain-challenge';

export const challengeNameOf = (hostname: Hostname): string => `${challengeLabel}.${hostname}`;

/** In characters. The challenge's name must fit into the DNS too (RFC 1035, section 2.3.4). */
const maxLength = 253 - `${challengeLabel}.`.length;

/**
 * Letters, digits and hyphens (RFC 1123, section 2.1), at most 63 per label. The last label starts with a letter, unlike in
 * addresses.
 */
const form = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Ends of names that are not public (RFC 2606, 6761, 6762, 7686 and 9476, ICANN, and common use). */
const special =
  /\.(?:localhost|local|internal|test|example|invalid|onion|alt|arpa|localdomain|lan|home|corp|mail|intranet|private)$/;

/** Excludes the ASCII characters that no host name contains. Others are normalised by the rules of internationalised names. */
const allowedCharacters = '[^\\x00-,/:-@\\x5b-`{-\\x7f]+';
const hostnameText = text({ min: 1, max: 253 });
const wrongForm = refused('invalid_format', 'must be a host name such as links.example.com');

/** A name with what people copy beside it from the address of a site. */
const address = /^(?:https?:\/\/)?([^/]*)\/?$/i;

const plainHostname = new Rule<Hostname>(hostnameText.schema, (value) => {
  const reading = hostnameText.safeParse(value);
  if ('problems' in reading) return reading;
  // Other characters end the host in the conversion, or are decoded.
  if (!/^[a-z0-9.\-\u0080-\u{10ffff}]*$/iu.test(reading.value)) return wrongForm;
  const ascii = domainToASCII(reading.value).replace(/\.$/, '');
  if (ascii.length > maxLength) return refused('too_big', `must have at most ${maxLength} characters`);
  if (!form.test(ascii)) return wrongForm;
  if (special.test(ascii)) return refused('invalid_format', 'must be a host name of the public internet');
  return { value: ascii as Hostname };
});

/**
 * Accepts a host name of the public internet. Letter case, internationalised names and a final dot are normalised. `https://`
 * before the name and a slash after it are removed. Ports, paths, addresses, wildcards, underscores and single labels are refused.
 */
export const hostname = alsoWritten(
  plainHostname,
  { maxLength: 253 + 'https:///'.length, pattern: `^(?:[Hh][Tt][Tt][Pp][Ss]?://)?${allowedCharacters}/?$` },
  (sent) => sent.replace(address, '$1'),
);
