import { jsonFaultOf } from '../../platform/http/json-limits';

/**
 * Returns whether a body is JSON with the expected values. White space between tokens and the spelling of escapes do not matter; the
 * order of members does.
 * @param json written by `JSON.stringify`
 */
export function isSameJson(body: Buffer, json: string): boolean {
  // The expected text has fewer values than characters. One with more is not parsed.
  if (jsonFaultOf(body, 3 * json.length) !== null) return false;
  try {
    return JSON.stringify(JSON.parse(body.toString())) === json;
  } catch {
    return false;
  }
}
