/** Splits text into lines that are not blank. Yields null for a line of more than `maxLength` characters. */
export async function* lines(text: AsyncIterable<string>, maxLength: number): AsyncGenerator<string | null> {
  let rest = '';
  let isTooLong = false;
  const lineOf = (end: string): string | null | undefined => {
    const line = rest + end;
    const skipped = isTooLong || line.length > maxLength;
    rest = '';
    isTooLong = false;
    if (skipped) return null;
    return line.trim() === '' ? undefined : line;
  };
  for await (const chunk of text) {
    let from = 0;
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
      const line = lineOf(chunk.slice(from, at));
      from = at + 1;
      if (line !== undefined) yield line;
    }
    if (!isTooLong) rest += chunk.slice(from);
    if (rest.length > maxLength) {
      isTooLong = true;
      rest = '';
    }
  }
  const last = lineOf('');
  if (last !== undefined) yield last;
}
