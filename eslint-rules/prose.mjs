import { refusedDescriptionStarts, refusedNames, refusedPhrases, refusedStarts } from './words.mjs';

const maxWords = 25;

/** Replaces code spans by one word and removes addresses and JSDoc types, because only prose is checked. */
const proseOf = (text) =>
  text
    .replace(/`+[^`]+`+/g, '`code`')
    .replace(/\{@?[^{}]*\}/g, '')
    .replace(/<?https?:\/\/[^\s)>]+>?/g, '')
    .replace(/\s+/g, ' ');

const sentencesOf = (prose) =>
  prose
    .replace(/\b(e\.g|i\.e|vs|cf|etc)\./g, '$1')
    .split(/(?<=[.!?]["”)]?)\s+(?=["“(`]?[A-Z0-9`])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

const wordsOf = (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

const anyCase = ({ pattern }) => new RegExp(pattern.source, 'i');

const refusal = (match, sentence, use) => `"${match}" in "${startOf(sentence)} …": use ${use}.`;

const startOf = (sentence) =>
  wordsOf(sentence)
    .slice(0, 6)
    .join(' ')
    .replace(/[.,:;!?]$/, '');

const phraseFaults = (sentence, phrases) =>
  phrases.flatMap((phrase) => {
    const match = anyCase(phrase).exec(sentence);
    return match ? [refusal(match[0], sentence, phrase.use)] : [];
  });

const nameFaults = (sentence) =>
  (sentence.match(/\b[A-Za-z]+[A-Z]\w*\b/g) ?? []).flatMap((word) => {
    const use = standardName(word);
    return use === null ? [] : [refusal(word, sentence, use)];
  });

/** Returns one message for each refused word of a text, such as a heading. */
export const wordFaultsIn = (text) =>
  sentencesOf(proseOf(text)).flatMap((sentence) => [
    ...phraseFaults(sentence, refusedPhrases),
    ...nameFaults(sentence),
  ]);

/**
 * Returns one message for each refused word or construction of a paragraph, and for each sentence that is too long.
 *
 * @param {string} paragraph plain text with code in backticks
 * @returns {string[]}
 */
export const faultsIn = (paragraph) => [
  ...wordFaultsIn(paragraph),
  ...sentencesOf(proseOf(paragraph)).flatMap((sentence) => {
    const { length } = wordsOf(sentence);
    return [
      ...(sentence.endsWith('?') ? [] : phraseFaults(sentence, refusedStarts)),
      ...(length > maxWords
        ? [`"${startOf(sentence)} …" has ${length} words: split it, ${maxWords} are allowed.`]
        : []),
    ];
  }),
];

/**
 * Returns the faults of a paragraph of the API description, whose sentences must begin with their subject.
 *
 * @param {string} paragraph
 * @returns {string[]}
 */
export const descriptionFaultsIn = (paragraph) => [
  ...faultsIn(paragraph),
  ...sentencesOf(proseOf(paragraph)).flatMap((sentence) => phraseFaults(sentence, refusedDescriptionStarts)),
];

/**
 * Returns the standard term for a refused name, and null for any other name.
 *
 * @param {string} name
 * @returns {string | null}
 */
export const standardName = (name) => refusedNames.find(({ pattern }) => pattern.test(name))?.use ?? null;
