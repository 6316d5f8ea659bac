/** Strings that PostgreSQL cannot store, as JSON source. */
export const unstorable: [string, string][] = [
  ['NUL', String.raw`"a\u0000b"`],
  ['a lone high surrogate', String.raw`"\ud800"`],
  ['a lone low surrogate', String.raw`"a\udc00"`],
  ['surrogates in the wrong order', String.raw`"\udc00\ud800"`],
];
