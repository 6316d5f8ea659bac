import { linkDestination } from '../../shared/destination-url';
import { objectRule } from './object-rule';
import { jsonInteger, listOf, type ParseResult, refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';

/** One of several destinations, which people get by its share of the sum of weights. */
export interface Variant {
  name: string;
  url: string;
  /** 0: ended, so that nobody gets it. */
  weight: number;
}

/** Variants as JSON text, in which equal variants are equal texts. */
export type LinkVariants = string;

/** At most five, because the hash of a visitor has five numbers (`chosenVariant`). */
const limits = { minItems: 2, maxItems: 5 };

const variant = objectRule(
  {
    name: text({
      min: 1,
      max: 50,
      notBlank: true,
      pattern: /^[^\u0000-\u001f\u007f-\u009f]+$/,
      patternSays: 'have no control characters',
    }),
    url: linkDestination,
    weight: jsonInteger({ minimum: 0, maximum: 100 }),
  },
  ['name', 'url', 'weight'],
  'Variant',
);

const list = listOf(variant, limits, (variants) => variants);

/** Reads variants with different names, one of which people get. */
export const variantList = new Rule<Variant[]>(list.schema, (value): ParseResult<Variant[]> => {
  const reading = list.safeParse(value);
  if ('problems' in reading) return reading;
  const variants = reading.value as Variant[];
  const repeated = variants.findIndex(({ name }, at) => variants.findIndex((other) => other.name === name) < at);
  if (repeated >= 0) return refused('invalid_format', 'must differ from the names before it', [repeated, 'name']);
  if (variants.every(({ weight }) => weight === 0))
    return refused('too_small', 'must have at least 1 weight above 0; to end all variants, set variants to null');
  return { value: variants };
});

export const linkVariants = new Rule<LinkVariants>(list.schema, (value) => {
  const reading = variantList.safeParse(value);
  return 'value' in reading ? { value: JSON.stringify(reading.value) } : reading;
});

export const variantsOf = (json: LinkVariants | null | undefined): Variant[] =>
  json ? (JSON.parse(json) as Variant[]) : [];

/** Returns the destinations of variants by the names of their fields. */
export const urlsOfVariants = (variants: readonly Variant[], within = 'variants'): Record<string, string> =>
  Object.fromEntries(variants.map(({ url }, at) => [`${within}.${at}.url`, url]));
