import { isTag, namesTag, tagOf } from '../../src/shared/entity-tag';
import { unchangedSince } from '../../src/api-kit/kit/if-match';

const tag = '"abc"';

test('a tag is strong, quoted, and differs with the content', () => {
  expect(tagOf('a')).toMatch(/^"[A-Za-z0-9_-]{27}"$/);
  expect(tagOf('a')).toBe(tagOf('a'));
  expect(tagOf('a')).not.toBe(tagOf('b'));
  expect(tagOf('')).not.toBe(tagOf('a'));
});

// If-None-Match compares weakly, If-Match strongly. Only a malformed If-Match matches nothing, because it guards changes.
test.each<[string, string, weak: boolean, strong: boolean]>([
  ['the tag', '"abc"', true, true],
  ['anything', '*', true, true],
  ['anything, with white space', ' * ', true, true],
  ['a list with the tag', '"x", "abc"', true, true],
  ['a list without spaces', '"x","abc","y"', true, true],
  ['the weak tag', 'W/"abc"', true, false],
  ['a list with the weak tag', '"x", W/"abc"', true, false],
  ['another tag', '"abd"', false, false],
  ['a longer tag', '"abcd"', false, false],
  ['the tag without quotes', 'abc', false, false],
  ['an empty header', '', false, false],
  ['an empty tag', '""', false, false],
  ['a star in quotes', '"*"', false, false],
  ['a star in a list', '*, "x"', false, false],
  ['a list with empty elements', ',"x", ,"abc",', true, true],
  ['a list with a tab', '"x",\t"abc"', true, true],
  ['a list with a tag that has a comma', '"x,y", "abc"', true, true],
  ['the tag with text around it', 'xx"abc"yy', true, false],
  ['the tag with text behind it', '"abc"yy', true, false],
  ['a list with text behind it', '"abc",yy', true, false],
  ['the weak tag with a small letter', 'w/"abc"', true, false],
  ['a list without commas', '"x" "abc"', true, false],
  ['a list with a star', '"abc", *', true, false],
  ['a list with a tag that is not closed', '"abc", "x', true, false],
  ['a list with a tag that has a space', '"abc", "x y"', true, false],
])('%s: %s', (_, header, weak, strong) => {
  expect(namesTag(header, tag)).toBe(weak);
  expect(isTag(header, tag)).toBe(strong);
});

test('a long If-Match is read in linear time', () => {
  for (const part of ['"x",', ',', ' ', '"x" ', 'W/']) expect(isTag(`${part.repeat(16_000)}!`, tag)).toBe(false);
});

test('a missing If-None-Match matches no tag', () => {
  expect(namesTag(undefined, tag)).toBe(false);
});

test('a weak tag is compared without its W/ prefix', () => {
  expect(namesTag('"abc"', 'W/"abc"')).toBe(true);
  expect(namesTag('W/"abc"', 'W/"abc"')).toBe(true);
  expect(namesTag('"abd"', 'W/"abc"')).toBe(false);
  expect(namesTag('"xW/abc"', '"xW/abc"')).toBe(true);
});

describe('a change under If-Match', () => {
  const render = (resource: { name: string }) => ({ shown: resource.name });
  const current = tagOf('{"data":{"shown":"a"}}');

  test('runs unconditionally without the header', () => {
    expect(unchangedSince(undefined, render)).toBeUndefined();
  });

  test('runs while the resource is unchanged', () => {
    expect(() => unchangedSince(current, render)!({ name: 'a' })).not.toThrow();
    expect(() => unchangedSince('*', render)!({ name: 'b' })).not.toThrow();
  });

  test.each(['"other"', `W/${current}`, `w/${current}`, `x${current}`, ''])('is refused with %s', (header) => {
    expect(() => unchangedSince(header, render)!({ name: 'a' })).toThrow('The resource does not match If-Match');
  });

  test('is refused once the resource has changed', () => {
    expect(() => unchangedSince(current, render)!({ name: 'b' })).toThrow('The resource does not match If-Match');
  });
});
