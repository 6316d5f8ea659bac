import { refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';

export type Subdomain = string & { readonly brand: 'Subdomain' };

const subdomainText = text<Subdomain>({
  min: 2,
  max: 63,
  pattern: /^[a-z0-9][a-z0-9-]*[a-z0-9]$/,
  patternSays: 'consist of lowercase letters, digits and hyphens, with no hyphen first or last',
});

/**
 * Combines the specification's pattern with the length of RFC 1035. `xn--` is refused, because such a label can look like any
 * name.
 */
export const subdomainRule = new Rule<Subdomain>({ ...subdomainText.schema, not: { pattern: '^xn--' } }, (value) => {
  const reading = subdomainText.safeParse(value);
  if ('value' in reading && reading.value.startsWith('xn--'))
    return refused('invalid_format', 'must not start with xn--');
  return reading;
});
