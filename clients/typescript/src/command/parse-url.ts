/**
 * Parses an absolute URL; returns null if the text is not one. `URL.canParse` fails here: in Node 20 and 22 it returns false for
 * Latin-1 characters, as in `https://bücher.example`, after some thousand calls.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
