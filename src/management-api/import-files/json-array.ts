import { InvalidInput } from '../../shared/problem';

const malformed = (message: string): InvalidInput => InvalidInput.asAWhole('invalid_json', message);

/**
 * Splits JSON text into the elements of its array: the text itself, or the only array of an object. Each element is text that the
 * caller parses. Yields null for one of more than `maxLength` characters.
 *
 * @throws InvalidInput if the text has no such array, more than one, ends inside, or is no JSON around the array
 */
export async function* arrayElements(text: AsyncIterable<string>, maxLength: number): AsyncGenerator<string | null> {
  /** Levels of open arrays and objects; those outside the array, once it is open. */
  let depth = 0;
  let outside = 0;
  let state: 'before' | 'inside' | 'after' = 'before';
  let isInString = false;
  let isEscaped = false;
  let element = '';
  let isTooLong = false;
  /** The text without the elements. */
  let frame = '';
  const found: (string | null)[] = [];
  const finish = (isLast: boolean) => {
    const isEmpty = element.trim() === '' && !isTooLong;
    // An empty array has no element. Elsewhere, a missing one is a fault of the row.
    if (!(isEmpty && isLast)) found.push(isTooLong ? null : element);
    element = '';
    isTooLong = false;
  };
  for await (const chunk of text) {
    let from = 0;
    let frameFrom = 0;
    const keepFrame = (to: number) => {
      frame += chunk.slice(frameFrom, to);
      if (frame.length > maxLength) throw malformed('The file has too much text outside of its array');
    };
    const keep = (to: number) => {
      if (!isTooLong) element += chunk.slice(from, to);
      if (element.length > maxLength) {
        isTooLong = true;
        element = '';
      }
    };
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at]!;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else if (character === '"') isInString = false;
      } else if (character === '"') isInString = true;
      else if (character === '[' || character === '{') {
        if (character === '[' && state !== 'inside') {
          if (state === 'after') throw malformed('The file has more than one array; send one');
          state = 'inside';
          keepFrame(at + 1);
          outside = depth;
          from = at + 1;
        }
        depth++;
      } else if (character === ']' || character === '}') {
        depth--;
        if (depth < 0) throw malformed('The file is not valid JSON');
        if (state === 'inside' && depth === outside) {
          if (character === '}') throw malformed('The file is not valid JSON');
          keep(at);
          finish(true);
          state = 'after';
          frameFrom = at;
        }
      } else if (character === ',' && state === 'inside' && depth === outside + 1) {
        keep(at);
        finish(false);
        from = at + 1;
      }
    }
    if (state === 'inside') keep(chunk.length);
    else keepFrame(chunk.length);
    yield* found.splice(0);
  }
  if (state === 'before') throw malformed('The file has no array of objects');
  if (depth > 0 || isInString) throw malformed('The file ends before its array does');
  if (!isArrayOrHasOne(frame)) throw malformed('The file has no array of objects, or its array lies deeper');
}

/** @throws InvalidInput if the text is no JSON */
function isArrayOrHasOne(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('The file is not valid JSON around its array');
  }
  return Array.isArray(value) || Object.values(value as object).some(Array.isArray);
}
