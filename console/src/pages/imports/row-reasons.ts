/** Explanations of reasons for which the service refuses rows, or finds a conflict. The last part of a message key. */
const explanations = [
  [/must be an absolute http or https URL$/, 'url'],
  [/has the scheme (?<scheme>\S+), which allowed_schemes /, 'scheme'],
  [/leads to (?<host>\S+), which destination_hosts /, 'destination'],
  [/must not contain a user name or password$/, 'userInfo'],
  [/must be a URL such as https:\/\/go\.example\.com\/sale, without a query$/, 'address'],
  [/is the root of a host, where no link can be$/, 'root'],
  [/must be a host name such as /, 'host'],
  [/must consist of segments of letters/, 'path'],
  [/is reserved; choose another one$/, 'reserved'],
  [/must have at most (?<max>\d+) characters(?: when percent-encoded)?$/, 'tooLong'],
  [/must have at most (?<max>\d+) pairs$/, 'params'],
  [/must not be (?:empty|only white space)$/, 'empty'],
  [/must be a string$/, 'text'],
  [/must be Unicode text without /, 'unicode'],
  [/must be a list of tags$/, 'tags'],
  [/must be true or false$/, 'flag'],
  [/can begin with the day or the month, /, 'twoMeanings'],
  [/does not exist in the date_format /, 'noDate'],
  [/must be a time such as /, 'time'],
  [/has no field that the source or the mapping knows$/, 'noField'],
  [/has another value than the field (?<other>.+)$/, 'otherValue'],
  [/is required$/, 'required'],
  [/is no app of this project$/, 'noApp'],
  [/^template is unknown in this project$/, 'noTemplate'],
  [/ plan does not include deferred deep links; /, 'plan'],
  [/ limit of .+: (?<used>\d+) of (?<limit>\d+) are in use; /, 'quota'],
  [/^custom_path belongs to a link that differs$/, 'pathTaken'],
  [/^external_id belongs to a link that differs$/, 'idTaken'],
  [/^custom_path is the path of a short link$/, 'shortLink'],
  [/^external_id and custom_path belong to different links$/, 'twoLinks'],
  [/^The row has (?:a quote|text after a closing quote)/, 'quote'],
  [/^The row has (?<cells>\d+) cells, and the header (?<header>\d+)$/, 'cells'],
  [/^The row has more than /, 'tooLarge'],
  [/^The row is not UTF-8; /, 'encoding'],
  [
    /^The row (?:is not valid JSON|must be a JSON object|nests |has too many values|has a cell that is not valid JSON)/,
    'json',
  ],
  [/^The row contains the token/, 'token'],
  [/^The service cannot /, 'service'],
] as const satisfies readonly (readonly [RegExp, string])[];

export type ReasonKey = `imports.reason.${(typeof explanations)[number][1]}`;

/** Finds the message that explains a reason of the service and says what to do, or null. */
export function explainedReason(reason: string): { key: ReasonKey; parameters: Record<string, string> } | null {
  for (const [pattern, name] of explanations) {
    const match = pattern.exec(reason);
    if (match) return { key: `imports.reason.${name}`, parameters: { ...match.groups } };
  }
  return null;
}
