/** Names of the systems of phones, as user agents have them in their first parenthesis. */
const phoneSystems = 'Android|Windows Phone|BlackBerry|Bada|SymbianOS|Series[0-9]{2}';

/**
 * Matches user agents of phones and tablets. `compatible` in the first parenthesis introduces the name of a robot, except for Windows
 * Phone.
 */
const phone = new RegExp(
  `^[^(]*\\((?![^)]*\\bcompatible; (?!MSIE))(?:[^)]*\\b(?:${phoneSystems})\\b|iP(?:hone|ad|od)\\b)|^Mozilla/5\\.0 \\(iP(?:hone|ad|od)[0-9]`,
  'i',
);

/** Matches feature phones, and phones without the parenthesis. */
const phoneWithoutParenthesis =
  /\bMIDP-[0-9]|\bWAP[ -]Browser\b|\bBrowser\/AppleWebkit|\bMozilla\/5\.0 Linux; (?:U; )?Android\b/i;

export interface DescribedPhone {
  /** The first parenthesis. It has arbitrary words, such as the names of models. */
  device: string;
  rest: string;
}

export function describedPhoneOf(userAgent: string): DescribedPhone | null {
  if (!phone.test(userAgent)) return phoneWithoutParenthesis.test(userAgent) ? { device: '', rest: userAgent } : null;
  const start = userAgent.indexOf('(');
  let end = start;
  // Some models have parentheses.
  for (let depth = 0; end < userAgent.length; end++) {
    if (userAgent[end] === '(') depth++;
    else if (userAgent[end] === ')' && --depth === 0) break;
  }
  return { device: userAgent.slice(start, end), rest: userAgent.slice(0, start) + userAgent.slice(end) };
}
