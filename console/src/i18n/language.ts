import { type Messages, rememberCatalogue } from './text';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const storageKey = 'signpost.language';

/** Returns the chosen language, or the first of the browser that has a catalogue. */
export function preferredLanguage(): Language {
  const preferred = [localStorage.getItem(storageKey), ...navigator.languages];
  for (const tag of preferred) {
    const match = languages.find((language) => tag?.toLowerCase().split('-')[0] === language);
    if (match) return match;
  }
  return 'en';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
}

/** Loads a catalogue. None is part of the first script, because a reader needs one of them. */
export async function loadMessages(language: Language): Promise<Messages> {
  const { messages } = await (language === 'de' ? import('../messages/de') : import('../messages/en'));
  rememberCatalogue(messages);
  return messages;
}

/** Returns the locale for numbers and dates: the reader's region if it fits the language. */
export const localeOf = (language: Language): string =>
  navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;
