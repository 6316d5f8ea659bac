import type { Pair } from '../../rules/rule-drafts';

/** The parameters that analytics programs read (Google Analytics, "URL builders"). */
export const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'];

export interface Parameter {
  key: string;
  value: string;
}

/** Splits an address into one without UTM parameters and their values. Returns null if it has none. Other parameters stay as written. */
export function splitUtm(address: string): { address: string; parameters: Parameter[] } | null {
  const parts = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(address.trim());
  if (!parts) return null;
  const [, base = '', query = '', fragment = ''] = parts;
  const pairs = query.split('&').map((text) => ({ text, ...readPair(text) }));
  const isUtm = ({ key, value }: Parameter) => utmNames.includes(key) && value !== '';
  const campaign = pairs.filter(isUtm);
  if (campaign.length === 0) return null;
  const rest = pairs.filter((pair) => !isUtm(pair)).map(({ text }) => text);
  // Of a name that repeats, the last value counts.
  const values = new Map(campaign.map(({ key, value }) => [key, value]));
  return {
    address: base + (rest.length > 0 ? `?${rest.join('&')}` : '') + fragment,
    parameters: [...values].map(([key, value]) => ({ key, value })),
  };
}

/** Adds parameters. Those of the same name get the new value. */
export function withParameters(rows: readonly Pair[], added: readonly Parameter[]): Pair[] {
  const valueOf = new Map(added.map(({ key, value }) => [key, value]));
  const updated = rows.map(({ key, value }) => ({ key, value: valueOf.get(key) ?? value }));
  return [...updated, ...added.filter(({ key }) => !rows.some((row) => row.key === key))];
}

function readPair(text: string): Parameter {
  const sign = text.indexOf('=');
  const [key, value] = sign < 0 ? [text, ''] : [text.slice(0, sign), text.slice(sign + 1)];
  return { key: decode(key), value: decode(value) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
