import { arrayElements } from '../../../src/management-api/import-files/json-array';
import { InvalidInput } from '../../../src/shared/problem';

/** Reads the text in pieces of a length, because a file arrives in parts. */
async function elementsOf(text: string, length: number): Promise<(string | null)[]> {
  const parts = async function* () {
    for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
  };
  const elements: (string | null)[] = [];
  for await (const element of arrayElements(parts(), 50)) elements.push(element);
  return elements;
}

describe.each([1, 2, 3, 1000])('in parts of %i characters', (length) => {
  test.each<[text: string, elements: (string | null)[]]>([
    ['[]', []],
    [' [ ] \n', []],
    ['[{"n":"x"}]', ['{"n":"x"}']],
    ['[{"n":"x"}, {"n":"]}"}]', ['{"n":"x"}', ' {"n":"]}"}']],
    ['{"links":[1,[2]]}', ['1', '[2]']],
    ['{"a":{"b":"[\\""},"links":[{}],"c":{}}', ['{}']],
    ['[1,,2]', ['1', '', '2']],
    ['[{"a":[}]]', ['{"a":[}]']],
    [`["${'x'.repeat(60)}",1]`, [null, '1']],
  ])('%s', async (text, elements) => {
    expect(await elementsOf(text, length)).toEqual(elements);
  });

  test.each([
    ['', 'The file has no array of objects'],
    ['{}', 'The file has no array of objects'],
    ['7', 'The file has no array of objects'],
    ['[1', 'The file ends before its array does'],
    ['{"a":[1]', 'The file ends before its array does'],
    ['[1]]', 'The file is not valid JSON'],
    ['[{"n":"x"}}', 'The file is not valid JSON'],
    ['[1][2]', 'The file has more than one array; send one'],
    ['{"a":[1],"b":[2]}', 'The file has more than one array; send one'],
    ['[1] {"n":"lost"} 1 2', 'The file is not valid JSON around its array'],
    ['<html>[1]</html>', 'The file is not valid JSON around its array'],
    ['{"a":[1]}{"b":1}', 'The file is not valid JSON around its array'],
    ['{"a":[1]]', 'The file is not valid JSON around its array'],
    ['{"a" [1]}', 'The file is not valid JSON around its array'],
    ['{"a":{"b":[1]}}', 'The file has no array of objects, or its array lies deeper'],
    [`{"a":"${'x'.repeat(60)}","b":[1]}`, 'The file has too much text outside of its array'],
  ])('%s is refused', async (text, message) => {
    const error = await elementsOf(text, length).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(InvalidInput);
    expect(JSON.stringify((error as InvalidInput).details)).toContain(message);
  });
});
