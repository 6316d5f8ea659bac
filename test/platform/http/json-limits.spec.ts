import { nestsTooDeep } from '../../../src/platform/http/nesting';

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
    expect(nestsTooDeep(Buffer.from(json))).toBe(expected);
  });
});
