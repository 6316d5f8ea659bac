import { type Pair, type RuleDraft, rulesOf } from './rule-drafts';
import type { VariantRow } from './variants';

/** Returns the text of a field whose value has rows, such as for a comparison of versions; undefined for other fields. */
export function rowText(field: string, value: unknown): string | undefined {
  switch (field) {
    case 'rules':
      return JSON.stringify(rulesOf(value as RuleDraft[]));
    case 'referrer_params':
      return (value as Pair[]).map(({ key, value: text }) => `${key}=${text}`).join(', ');
    case 'variants':
      return (value as VariantRow[]).map(({ name, url, weight }) => `${name}: ${url} (${weight})`).join(', ');
    default:
      return undefined;
  }
}
