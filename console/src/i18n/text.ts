import type { messages as english } from '../messages/en';

export type MessageKey = keyof typeof english;
export type Messages = Record<MessageKey, string>;

/** The catalogue that was loaded last. All have the same keys. */
let catalogue: Partial<Messages> = {};
export const rememberCatalogue = (messages: Messages): void => void (catalogue = messages);

/** Returns whether the catalogues have the key, for keys that the service names. */
export const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(catalogue, key);

export type Parameters = Record<string, string | number>;

/** Keys of messages that differ by a number, without `.one` and `.other`. */
export type CountedKey = {
  [K in MessageKey]: K extends `${infer Stem}.other` ? Stem : never;
}[MessageKey];

/** Replaces `{name}` by the parameter of that name. */
export function fill(message: string, parameters: Parameters = {}): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole));
}
