import type { Import } from 'signpost-client';

/** Reasons why the list of another system was not read. Each has a text, and a remedy, in all languages. */
export const fetchFaults = [
  'token',
  'limited',
  'notFound',
  'redirected',
  'answered',
  'noAddress',
  'privateAddress',
  'unreachable',
  'certificate',
  'silent',
  'strange',
  'incomplete',
  'empty',
  'tooLarge',
  'interrupted',
] as const;
export type FetchFault = (typeof fetchFaults)[number];

/** Parts of the service's messages. The service has no code for them, so that others are shown in its words. */
const messages: readonly (readonly [FetchFault, RegExp])[] = [
  ['token', /has answered with the status 40[13];/],
  ['limited', /has answered with the status 429;/],
  ['notFound', /has answered with the status 404;/],
  ['redirected', /has answered with the status 3\d\d;/],
  ['answered', /has answered with the status \d{3};/],
  ['noAddress', /has no address in the DNS;/],
  ['privateAddress', /has an address that is not public;/],
  ['unreachable', /cannot be reached;/],
  ['certificate', /has no valid certificate;/],
  ['silent', /has closed the connection without a whole answer;|has not answered within \d+ seconds;/],
  ['strange', /has sent an? (compressed )?answer\b|repeats the pages of its list;/],
  ['incomplete', /so that links may be missing;/],
  ['empty', /lists no links for this token;|lists no such domain for this token;/],
  ['tooLarge', /lists more than 1,000,000 links;|has more than 1 GB;|has taken longer than a day;/],
  ['interrupted', /because the token is not stored/],
];

type Failed = Pick<Import, 'state' | 'format' | 'predicted' | 'failure'>;

/** Returns why the list of another system was not read; null if another step failed, or for a reason that is not known. */
export function fetchFault({ state, format, predicted, failure }: Failed): FetchFault | null {
  if (state !== 'failed' || format !== 'api' || predicted !== null || failure === null) return null;
  return messages.find(([, message]) => message.test(failure))?.[0] ?? null;
}
