import { preferredLanguage } from '../../shared/preferred-language';

export const sharedPageLanguages = ['en', 'de'] as const;
export type SharedPageLanguage = (typeof sharedPageLanguages)[number];

export const sharedPageLanguageOf = (acceptLanguage: string | undefined): SharedPageLanguage =>
  preferredLanguage(acceptLanguage, sharedPageLanguages);

const en = {
  clicks: 'Clicks',
  qrScans: 'From QR codes',
  period: 'Period',
  days: (days: string) => `${days} days`,
  perDay: 'Clicks per day',
  perWeek: 'Clicks per week',
  numbers: 'Show the numbers',
  begins: 'Begins',
  country: 'Countries',
  platform: 'Platforms',
  referrer: 'Referrers',
  link: 'Links',
  none: {
    country: 'Unknown country',
    platform: 'Unknown platform',
    referrer: 'Opened directly',
    link: 'Deleted link',
  },
  desktop: 'Desktop',
  others: 'Others',
  noClicks: 'No clicks in this period.',
  keptFrom: (day: string) => `Clicks before ${day} are no longer kept.`,
  note: (zone: string, end: string) =>
    `Days in the time zone ${zone}. Robots are not counted. This page ends on ${end}.`,
  passwordTitle: 'Password required',
  passwordText: 'These statistics are protected. Enter the password that you got with the address.',
  password: 'Password',
  enter: 'Show statistics',
  wrong: 'The password is not correct.',
  goneTitle: 'This page does not exist',
  gone: 'The address is not complete, or the page was ended. Ask the sender for a new address.',
  busyTitle: 'Too many requests',
  busy: 'Wait a minute, then load the page again.',
};

export type SharedPageTexts = typeof en;

const de: SharedPageTexts = {
  clicks: 'Klicks',
  qrScans: 'Über QR-Codes',
  period: 'Zeitraum',
  days: (days) => `${days} Tage`,
  perDay: 'Klicks pro Tag',
  perWeek: 'Klicks pro Woche',
  numbers: 'Zahlen zeigen',
  begins: 'Beginn',
  country: 'Länder',
  platform: 'Plattformen',
  referrer: 'Herkunft',
  link: 'Links',
  none: {
    country: 'Unbekanntes Land',
    platform: 'Unbekannte Plattform',
    referrer: 'Direkt geöffnet',
    link: 'Gelöschter Link',
  },
  desktop: 'Desktop',
  others: 'Weitere',
  noClicks: 'Keine Klicks in diesem Zeitraum.',
  keptFrom: (day) => `Klicks vor dem ${day} sind nicht mehr gespeichert.`,
  note: (zone, end) => `Tage in der Zeitzone ${zone}. Bots sind nicht mitgezählt. Diese Seite endet am ${end}.`,
  passwordTitle: 'Passwort erforderlich',
  passwordText: 'Diese Statistik ist geschützt. Geben Sie das Passwort ein, das Sie mit der Adresse bekommen haben.',
  password: 'Passwort',
  enter: 'Statistik zeigen',
  wrong: 'Das Passwort ist nicht richtig.',
  goneTitle: 'Diese Seite gibt es nicht',
  gone: 'Die Adresse ist unvollständig, oder die Seite wurde beendet. Fragen Sie den Absender nach einer neuen Adresse.',
  busyTitle: 'Zu viele Anfragen',
  busy: 'Warten Sie eine Minute und laden Sie die Seite neu.',
};

export const sharedPageTexts: Record<SharedPageLanguage, SharedPageTexts> = { en, de };
