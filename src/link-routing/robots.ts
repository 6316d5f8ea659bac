import { isbot } from 'isbot';

/**
 * Matches user agents that start like the web view of a phone. Apps add arbitrary words to them, and crawlers imitate them.
 * Safari and other browsers of iOS start alike.
 */
const phoneWebView = /^Mozilla\/5\.0 \((?:iP(?:hone|ad|od)\b.*\bMobile\/|[^)]*\bAndroid\b[^)]*; wv\))/;

/** Names of robots that are part of no app's name, and addresses of pages about robots. */
const robotNames = new RegExp(
  [
    // Cubot makes phones.
    '(?<! cu)bots?(?:\\b|_)',
    'crawl',
    'spider',
    '\\+https?:',
    'facebookexternalhit',
    'meta-external',
    'Mediapartners-Google',
    'Google-InspectionTool',
    'GoogleOther',
    'Google-Read-Aloud',
    'Google Page ?Speed',
    'Google Web Preview',
    'Lighthouse',
    'Headless',
    '\\bPTST/',
    'BingPreview',
    'Hotjar',
  ].join('|'),
  'i',
);

/**
 * Returns whether the user agent belongs to an automated client. In the web view of a phone only unambiguous names decide, because
 * `isbot` misreads words of apps.
 */
export const isRobot = (userAgent: string): boolean =>
  phoneWebView.test(userAgent) ? robotNames.test(userAgent) : isbot(userAgent);
