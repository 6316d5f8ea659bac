import type { I18n } from './i18n';
import { isMessageKey } from './text';

/** Explains why a rule of a link can never match, in the reader's language. Returns null for another message of the service. */
export function neverMatches(message: string, { t, number }: Pick<I18n, 't' | 'number'>): string | null {
  const [, reason] = /can never match, because (.+)/.exec(message) ?? [];
  if (reason === undefined) return null;
  const earlier = /^rules\.(\d+) matches all/.exec(reason);
  if (earlier) return t('rules.never.covered', { number: number(Number(earlier[1]) + 1) });
  const ofVisits = /only a visit has what (\w+) compares/.exec(reason);
  const condition = `rules.condition.${ofVisits?.[1]}`;
  if (isMessageKey(condition)) return t('rules.never.visit', { condition: t(condition) });
  const key = reasons.find(([words]) => reason.includes(words))?.[1];
  return key === undefined ? null : t(key);
}

const reasons = [
  ['until is not after from', 'rules.never.times'],
  ['is above max', 'rules.never.versions'],
  ['removes this parameter', 'rules.never.parameter'],
  ['knows versions of', 'rules.never.system'],
  ['only apps of', 'rules.never.app'],
] as const;
