const form = /^svc_live_[0-9A-Za-z]{46}$/;
const fragmentName = 'key';

/** Returns whether the text has the form of an API key. */
export const isApiKey = (text: string): boolean => form.test(text);

/** Returns the part of a key that lists show, which does not sign in. */
export const prefixOf = (key: string): string => key.slice(0, 13);

/**
 * Takes the key out of the address, so that it stays neither in the history nor in a copied link. Returns null if the address has
 * no key.
 */
export function takeKeyFromAddress(): { key: string } | 'invalid' | null {
  const keys = new URLSearchParams(location.hash.slice(1)).getAll(fragmentName);
  if (keys.length === 0) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  const [key = ''] = keys;
  return keys.length === 1 && isApiKey(key) ? { key } : 'invalid';
}
