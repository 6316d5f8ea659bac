import { jsonFaultOf, readJson } from '../../../src/platform/http/json-limits';

const nested = (levels: number, inside = ''): string => '['.repeat(levels) + inside + ']'.repeat(levels);

describe('JSON text', () => {
  test.each<[string, string, boolean]>([
    ['a flat object', '{"name":"N"}', false],
    ['32 levels', nested(32), false],
    ['33 levels', nested(33), true],
    ['objects and arrays count together', '{"a":['.repeat(16) + ']}'.repeat(16), false],
    ['one more of them', `[${'{"a":['.repeat(16)}${']}'.repeat(16)}]`, true],
    ['many beside each other', `[${Array.from({ length: 1000 }, () => '{}').join()}]`, false],
    ['many arrays beside each other', `[${Array.from({ length: 1000 }, () => '[]').join()}]`, false],
    ['brackets in a string', `{"name":"${'['.repeat(1000)}"}`, false],
    ['brackets after a quote that is escaped', `{"name":"\\"${'['.repeat(1000)}"}`, false],
    ['brackets after a backslash that is escaped', `["\\\\",${nested(32)}]`, true],
    ['a string that never ends', `"${'['.repeat(1000)}`, false],
    ['brackets that are never closed', '['.repeat(33), true],
    ['nothing', '', false],
  ])('%s', (_what, json, expected) => {
    expect(jsonFaultOf(Buffer.from(json), 100_000)).toBe(expected ? 'too_deep' : null);
  });

  test.each<[string, string, number]>([
    ['commas', '[0,0,0]', 5],
    ['objects', '[{},{}]', 10],
    ['arrays', '{"a":[],"b":[]}', 10],
    ['commas, brackets and braces in texts', '["[,{","\\",[{"]', 4],
  ])('%s count as values', (_what, json, values) => {
    expect(jsonFaultOf(Buffer.from(json), values)).toBeNull();
    expect(jsonFaultOf(Buffer.from(json), values - 1)).toBe('too_many_values');
  });

  test('is parsed within the limits', () => {
    expect(readJson('{"a":[1]}', 6)).toEqual({ value: { a: [1] } });
    expect(readJson('{"a":[1]}', 5)).toEqual({ fault: 'too_many_values' });
    expect(readJson(nested(33), 1000)).toEqual({ fault: 'too_deep' });
    expect(readJson('{"a":', 6)).toEqual({ fault: 'not_json' });
  });
});
