import { isbot } from 'isbot';
import { describedPhoneOf } from './described-phone';

/** Names of robots that are part of no app's name, and addresses of pages about robots. No browser adds `(compatible;`. */
const robotNames = new RegExp(
  [
    // Cubot makes phones.
    '(?<! cu)bots?(?:\\b|_)',
    '\\(compatible;',
    'crawl',
    'spider',
    '\\+https?:',
    'facebookexternalhit',
    'meta-external',
    '(?:APIs|DuplexWeb|FeedFetcher|Mediapartners)-Google',
    'Google-(?:InspectionTool|Safety|Site-Verification)',
    'GoogleOther',
    'Google-Publisher-Plugin',
    'Google-Read-Aloud',
    'Google Page ?Speed',
    'Google Web Preview',
    'Lighthouse',
    'Headless',
    'Selenium',
    'Puppeteer',
    'Playwright',
    'GTmetrix',
    'Pingdom',
    'Synthetics?\\b',
    'Site24x7',
    'StatusCake',
    'SpeedCurve',
    'Catchpoint',
    'AhrefsSiteAudit',
    'PhantomJS',
    '\\bPTST/',
    'BingPreview',
    'Hotjar',
    '(?<!user)-agent\\b',
  ].join('|'),
  'i',
);

/** Names of robots beside the model of a phone: with a version, or with the address of a page. */
const robotsAsDevices = /(?<!cu)bot(?:-google)?\/[0-9]|DuplexWeb-Google\/|https?:/i;

/**
 * Returns whether the user agent belongs to an automated client. For phones only unambiguous names decide, because `isbot` misreads
 * models and words of apps. Robots that imitate phones add their names behind the description of the phone.
 */
export function isRobot(userAgent: string): boolean {
  const phone = describedPhoneOf(userAgent);
  return phone === null ? isbot(userAgent) : robotNames.test(phone.rest) || robotsAsDevices.test(phone.device);
}
