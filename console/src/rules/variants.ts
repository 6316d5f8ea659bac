import type { components } from 'signpost-client';
import { webAddress } from '../components/web-address';

/** A variant as the form edits it. An emptied weight is a text. */
export interface VariantRow {
  name: string;
  url: string;
  weight: number | string;
}

export const maxVariants = 5;

/** Returns rows with another variant, or with two at the beginning. The first one has the destination that was there before. */
export function withVariant(rows: readonly VariantRow[], firstUrl: string): VariantRow[] {
  const name = [...'ABCDE'].find((letter) => !rows.some((row) => row.name.trim() === letter)) ?? '';
  const all = [...rows, { name, url: rows.length === 0 ? firstUrl : '', weight: 50 }];
  return all.length === 1 ? withVariant(all, '') : all;
}

/** Returns the variants of rows as the API has them. */
export const variantsOf = (rows: unknown): components['schemas']['Variant'][] =>
  (rows as VariantRow[]).map((row) => ({
    ...row,
    name: row.name.trim(),
    url: webAddress(row.url),
    weight: Number(row.weight),
  }));

const hasWeight = ({ weight }: VariantRow): boolean => /\d/.test(String(weight));

/** Returns the paths of weights without a number, which a save would take for 0, the end of a variant. */
export const missingWeights = (rows: readonly VariantRow[], path: string): string[] =>
  rows.flatMap((row, at) => (hasWeight(row) ? [] : [`${path}.${at}.weight`]));

/** Returns the part of the visitors that gets a variant; null if its weight is missing. */
export function shareOf(row: VariantRow, rows: readonly VariantRow[]): number | null {
  if (!hasWeight(row)) return null;
  const total = rows.filter(hasWeight).reduce((sum, { weight }) => sum + Number(weight), 0);
  return Number(row.weight) === 0 ? 0 : Number(row.weight) / total;
}
