import { domainToASCII } from 'node:url';
import { describedPattern, listOf, type ParseResult, refused, Rule } from './rule';
import { text } from './text';

/** A host with an optional port, in lower case and with A-labels. `*.` at the start stands for one or more labels. */
export type DestinationHost = string & { readonly brand: 'DestinationHost' };

const patternText = text({ min: 1, max: 260 });

/** Letters, digits and hyphens (RFC 1123, section 2.1). The last label starts with a letter, unlike in addresses. */
const form = /^((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9]))(?::([1-9]\d{0,4}))?$/;
/** The pattern in the API description. The rule also refuses hosts that are not valid international names. */
const allowed = /^(?:\*\.)?[^\u0000-,/:-@\x5b-`{-\u007f]+(?::[1-9][0-9]{0,4})?$/;

/** The parts as sent. Other characters would end the host in the conversion, or be decoded. */
const sentForm = /^(\*\.)?([a-z0-9.\-\u0080-\u{10ffff}]+)(:[0-9]+)?$/iu;
const wrongForm = refused(
  'invalid_format',
  'must be a host such as shop.example.com or *.example.com, without scheme and path',
);

/** Entries of a list. */
export const maxDestinationHosts = 50;

/** Accepts `shop.example.com`, `*.example.com` and `shop.example.com:8443`. Letter case and international names are normalised. */
export const destinationHost = new Rule<DestinationHost>(
  { ...patternText.schema, pattern: describedPattern(allowed) },
  (value): ParseResult<DestinationHost> => {
    const reading = patternText.safeParse(value);
    if ('problems' in reading) return reading;
    const parts = sentForm.exec(reading.value);
    if (!parts) return wrongForm;
    const [, wildcard = '', name, port = ''] = parts;
    // The conversion makes an asterisk of a full-width one, which is no wildcard.
    const host = domainToASCII(name!).replace(/\.$/, '') + port;
    const match = form.exec(host);
    // The number of an absent port is NaN.
    if (!match || match[1]!.length > 253 || Number(match[2]) > 65_535) return wrongForm;
    return { value: (wildcard + host) as DestinationHost };
  },
);

/** Reads hosts to which visitors may be sent, without duplicates, in the order sent. */
export const destinationHosts = listOf(destinationHost, { maxItems: maxDestinationHosts });

/**
 * Returns whether the list has the host and port of a URL. A host without a port allows the default port of http or https.
 * @param hosts entries of `destinationHosts`
 */
export function allowsDestination(hosts: readonly string[], { protocol, hostname, port }: URL): boolean {
  const name = hostname.replace(/\.$/, '');
  // `URL` leaves out a default port, which an entry may have.
  const defaultPort = protocol === 'https:' ? 443 : 80;
  const names = port ? [`${name}:${port}`] : [name, `${name}:${defaultPort}`];
  return hosts.some((host) =>
    host.startsWith('*.')
      ? names.some((one) => one.endsWith(host.slice(1)) && one.length > host.length - 1)
      : names.includes(host),
  );
}
