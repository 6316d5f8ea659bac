import { rarestTrigrams } from '../../../src/management-api/link-search/rarest-trigrams';

const size = 10_000_000;

const counted = (...trigrams: [text: string, word: number, links: number][]) =>
  trigrams.map(([text, word, links]) => ({ text, word, links }));

test.each([
  ['a rare one alone', counted(['zeb', 0, 40], ['ebr', 0, 20_000], ['bra', 0, 900_000]), ['zeb']],
  [
    'the rarest of each word, and no further one',
    counted(
      ['ban', 0, 570_000],
      ['nne', 0, 373_000],
      ['sal', 1, 1_180_000],
      ['ale', 1, 1_183_000],
      ['lau', 2, 235_000],
    ),
    ['lau', 'nne', 'sal'],
  ],
  [
    'all of one word, because each says little about the others',
    counted(['mer', 0, 2_496_000], ['ers', 0, 97_000], ['rsa', 0, 74_000]),
    ['rsa', 'ers', 'mer'],
  ],
  ['all if each is in every link', counted(['aaa', 0, size]), ['aaa']],
  ['none of none', counted(), []],
])('the links of a text are found by %s', (_, trigrams, expected) => {
  expect(rarestTrigrams(trigrams, size).map(({ text }) => text)).toEqual(expected);
});
