/**
 * The URL that the text is, or null. `URL.canParse` is no test for that: in Node 20 and 22 it says false of
 * `https://bücher.example` and of everything else with Latin-1 characters once it has been called some thousand times.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
