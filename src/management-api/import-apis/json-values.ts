import { endOfString } from '../../platform/http/nesting';

/** A page of 500 small links, or of 150 large ones, has some thousands. */
const maxValues = 50_000;

const [quote, comma, openBracket, openBrace] = [...Buffer.from('",[{')];

/**
 * Returns whether JSON text has more values than any page of links, because empty objects have twenty times the memory of their text.
 */
export function hasTooManyValues(json: Uint8Array): boolean {
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if ((byte === comma || byte === openBracket || byte === openBrace) && ++values > maxValues) return true;
  }
  return false;
}
