import type { DomainError } from '../../shared/domain-error';
import { refused, Rule, wrongType, describedPattern } from '../../shared/rule';
import { text } from '../../shared/text';

export const maxConversions = 1000;

/** Conversions that publishable keys may send for one click id, because everybody can send them. */
export const maxUntrusted = 20;

export const conversionOutcomes = [
  'counted',
  'repeated',
  'unknown_click_id',
  'expired_click_id',
  'unknown_sale',
  'other_currency',
  'invalid_time',
  'too_many',
  'invalid',
] as const;
export type ConversionOutcome = (typeof conversionOutcomes)[number];

export interface Conversion {
  /** Null for a refund, which counts where its sale does. */
  clickId: string | null;
  event: string;
  /** An exact decimal, negative for a refund. Null for a conversion without a value. */
  value: string | null;
  currency: string | null;
  key: string;
  /** The key of the sale, for a refund. */
  saleKey: string | null;
  /** Null for now. */
  occurredAt: Date | null;
}

/** A conversion that was sent, or the error of one that breaks a rule. */
export type SentConversion = Conversion | { error: DomainError };

const decimal = /^(?:-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,4})?)$/;

/** An amount as a text, because JSON numbers are read as binary fractions. */
export const amount = new Rule<string>({ type: 'string', pattern: describedPattern(decimal) }, (value) => {
  if (typeof value !== 'string') return wrongType('string');
  if (!decimal.test(value) || /^-[0.]+$/.test(value))
    return refused(
      'invalid_format',
      'must be a decimal such as "19.90", with at most 12 digits before the point and 4 after it',
    );
  return { value };
});

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** A code of ISO 4217, such as EUR. */
export const currency = new Rule<string>({ type: 'string', pattern: '^[A-Z]{3}$' }, (value) => {
  if (typeof value !== 'string') return wrongType('string');
  return currencies.has(value)
    ? { value }
    : refused('invalid_format', 'must be a currency code of ISO 4217, such as EUR');
});

export const eventName = text({
  min: 1,
  max: 50,
  pattern: /^[A-Za-z0-9_.-]+$/,
  patternSays: 'have only letters, digits, "_", "-" and "."',
});

export const conversionKey = text({
  min: 1,
  max: 200,
  pattern: /^[^\u0000-\u001f\u007f-\u009f]+$/,
  patternSays: 'have no control characters',
});

/** Returns the key of the sale that a refund names before its last colon; null without one. */
export function saleKeyOf(key: string): string | null {
  const colon = key.lastIndexOf(':');
  return colon > 0 && colon < key.length - 1 ? key.slice(0, colon) : null;
}
