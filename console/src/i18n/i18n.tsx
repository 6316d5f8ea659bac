import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import type { Pagination } from 'signpost-client';
import { type Language, loadMessages, localeOf, preferredLanguage, rememberLanguage } from './language';
import { type CountedKey, fill, type MessageKey, type Messages, type Parameters } from './text';

export interface I18n {
  language: Language;
  locale: string;
  setLanguage: (language: Language) => void;
  t: (key: MessageKey, parameters?: Parameters) => string;
  /** Selects the message for a number, which is also its parameter `count`. */
  counted: (key: CountedKey, count: number, parameters?: Parameters) => string;
  /** Returns the number of items of a list, such as `10,000+ links` for a lower bound. */
  total: (key: CountedKey, pages: Pick<Pagination, 'total' | 'totalRelation'>) => string;
  number: (value: number) => string;
  percent: (share: number) => string;
  /** @param value an exact decimal */
  money: (value: string, currency: string) => string;
  date: (value: string | Date) => string;
  dateTime: (value: string | Date) => string;
  time: (value: Date) => string;
}

const Context = createContext<I18n | null>(null);

export function useI18n(): I18n {
  return use(Context)!;
}

function i18nOf(language: Language, messages: Messages, setLanguage: (language: Language) => void): I18n {
  const locale = localeOf(language);
  const numbers = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const dateTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const times = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const counted: I18n['counted'] = (key, count, parameters) => {
    const form = plurals.select(count) === 'one' ? 'one' : 'other';
    return fill(messages[`${key}.${form}` as MessageKey], { count: numbers.format(count), ...parameters });
  };
  const plurals = new Intl.PluralRules(locale);
  return {
    language,
    locale,
    setLanguage,
    t: (key, parameters) => fill(messages[key], parameters),
    counted,
    total: (key, { total, totalRelation }) =>
      counted(key, total, totalRelation && { count: `${numbers.format(total)}+` }),
    number: (value) => numbers.format(value),
    percent: (share) => percents.format(share),
    money: (value, currency) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value as Intl.StringNumericLiteral),
    date: (value) => dates.format(new Date(value)),
    dateTime: (value) => dateTimes.format(new Date(value)),
    time: (value) => times.format(value),
  };
}

/** Provides messages and formats of the reader's language. It shows nothing until the catalogue is loaded. */
export function I18nProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferredLanguage);
  const [messages, setMessages] = useState<Messages | null>(null);
  useEffect(() => {
    document.documentElement.lang = language;
    let isCurrent = true;
    loadMessages(language).then(
      (loaded) => isCurrent && setMessages(loaded),
      // The choice is kept for the next load of the page.
      () => isCurrent && setLanguage('en'),
    );
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const value = useMemo(() => {
    const choose = (chosen: Language): void => {
      rememberLanguage(chosen);
      setLanguage(chosen);
    };
    return messages && i18nOf(language, messages, choose);
  }, [language, messages]);
  return value && <Context value={value}>{children}</Context>;
}
