import { preferredLanguage } from '../../shared/preferred-language';

/** The answer of a visit, without tokens and click ids. */
export interface TestedAnswer {
  kind:
    | 'redirect'
    | 'landing'
    | 'get-the-app'
    | 'in-app-browser'
    | 'other-scheme'
    | 'preview'
    | 'disabled'
    | 'expired'
    | 'locked'
    | 'not-found';
  /** Null for a page. */
  location: string | null;
}

export const verdicts = ['computer', 'no-app', 'other-address', 'in-app', 'not-opened'] as const;

export type Verdict = (typeof verdicts)[number];

interface TestTexts {
  verdicts: Record<Verdict, { title: string; text: string }>;
  device: string;
  computer: string;
  browser: string;
  unknown: string;
  insideApp: (app: string | null) => string;
  answer: string;
  answers: Record<TestedAnswer['kind'], string>;
  file: string;
  noApp: string;
  opens: (app: string) => string;
  notHere: (app: string) => string;
  furtherApps: (count: number) => string;
  reasons: string;
  ofIos: (host: string) => string[];
  ofAndroid: (host: string) => string[];
  again: string;
  visit: string;
  countsNothing: string;
}

const en: TestTexts = {
  verdicts: {
    computer: {
      title: 'Test this link on a phone',
      text: 'To the service, this device is a computer. Scan the code of the console with the camera of a phone.',
    },
    'no-app': {
      title: 'No app opens this link here',
      text: 'The association file of this host names no app for this system.',
    },
    'other-address': {
      title: 'No app opens this address',
      text: 'The association file of this host names apps, but none for this address.',
    },
    'in-app': {
      title: 'Here, no link opens an app',
      text: 'This browser is inside another app. If the link has an app, visitors get a page with “Open in app”.',
    },
    'not-opened': {
      title: 'The app did not open',
      text: 'The association file of this host names an app for this address, but the phone opened the browser.',
    },
  },
  device: 'Device',
  computer: 'Computer',
  browser: 'Browser',
  unknown: 'Not known',
  insideApp: (app) => (app === null ? 'Inside another app' : `Inside ${app}`),
  answer: 'What this link does here',
  answers: {
    redirect: 'It leads to this address:',
    'other-scheme': 'It shows a page with a button for this address:',
    'in-app-browser': 'It shows the page “Open in app”.',
    'get-the-app': 'It shows the page “Get the app”.',
    landing: 'It shows its landing page, because it has no destination for this device.',
    preview: 'It shows the preview of messengers.',
    disabled: 'It is disabled, and says so.',
    expired: 'It has ended.',
    locked: 'It shows a page with a button or a password.',
    'not-found': 'No link has this address.',
  },
  file: 'Apps in the association file',
  noApp: 'None for this system',
  opens: (app) => `${app} for this address`,
  notHere: (app) => `${app}, but not for this address`,
  furtherApps: (count) => `and ${count} more`,
  reasons: 'Possible reasons',
  ofIos: (host) => [
    `The app is not installed, or its entitlements lack applinks:${host}.`,
    'The phone has an older file. Apple reads it within 24 hours. Then delete and install the app again.',
    'Somebody chose the browser before. Hold such a link in Notes, and choose “Open in …”.',
    'The address was typed or pasted. Only the camera, and a tap in another app, open an app.',
  ],
  ofAndroid: (host) => [
    `The app is not installed, or its manifest lacks ${host} with autoVerify.`,
    'The host is not verified or is switched off. See Settings, Apps, your app, “Open by default”.',
    'The installed build is signed by another certificate, such as that of debug builds.',
    'The address was typed or pasted. Only the camera, and a tap in another app, open an app.',
  ],
  again: 'Open the link again',
  visit: 'Continue as a visitor',
  countsNothing: 'This page counts no click.',
};

const de: TestTexts = {
  verdicts: {
    computer: {
      title: 'Diesen Link auf einem Smartphone testen',
      text: 'Für den Dienst ist dieses Gerät ein Computer. Den Code der Konsole mit der Kamera eines Smartphones scannen.',
    },
    'no-app': {
      title: 'Keine App öffnet diesen Link hier',
      text: 'Die Zuordnungsdatei dieses Hosts nennt keine App für dieses System.',
    },
    'other-address': {
      title: 'Keine App öffnet diese Adresse',
      text: 'Die Zuordnungsdatei dieses Hosts nennt Apps, aber keine für diese Adresse.',
    },
    'in-app': {
      title: 'Hier öffnet kein Link eine App',
      text: 'Dieser Browser ist Teil einer anderen App. Hat der Link eine App, bekommen Besucher eine Seite mit „In der App öffnen“.',
    },
    'not-opened': {
      title: 'Die App hat sich nicht geöffnet',
      text: 'Die Zuordnungsdatei dieses Hosts nennt eine App für diese Adresse, aber das Smartphone hat den Browser geöffnet.',
    },
  },
  device: 'Gerät',
  computer: 'Computer',
  browser: 'Browser',
  unknown: 'Nicht bekannt',
  insideApp: (app) => (app === null ? 'In einer anderen App' : `In ${app}`),
  answer: 'Was dieser Link hier tut',
  answers: {
    redirect: 'Er führt zu dieser Adresse:',
    'other-scheme': 'Er zeigt eine Seite mit einem Knopf für diese Adresse:',
    'in-app-browser': 'Er zeigt die Seite „In der App öffnen“.',
    'get-the-app': 'Er zeigt die Seite „App laden“.',
    landing: 'Er zeigt seine Landingpage, weil er kein Ziel für dieses Gerät hat.',
    preview: 'Er zeigt die Vorschau der Messenger.',
    disabled: 'Er ist deaktiviert und sagt das.',
    expired: 'Er ist abgelaufen.',
    locked: 'Er zeigt eine Seite mit einem Knopf oder Passwort.',
    'not-found': 'Kein Link hat diese Adresse.',
  },
  file: 'Apps in der Zuordnungsdatei',
  noApp: 'Keine für dieses System',
  opens: (app) => `${app} für diese Adresse`,
  notHere: (app) => `${app}, aber nicht für diese Adresse`,
  furtherApps: (count) => `und ${count} weitere`,
  reasons: 'Mögliche Gründe',
  ofIos: (host) => [
    `Die App ist nicht installiert, oder in ihren Entitlements fehlt applinks:${host}.`,
    'Das Smartphone hat eine ältere Datei. Apple liest sie innerhalb von 24 Stunden. Danach die App löschen und neu installieren.',
    'Jemand hat früher den Browser gewählt. Einen solchen Link in Notizen halten und „In … öffnen“ wählen.',
    'Die Adresse wurde getippt oder eingefügt. Nur die Kamera und ein Tipp in einer anderen App öffnen eine App.',
  ],
  ofAndroid: (host) => [
    `Die App ist nicht installiert, oder in ihrem Manifest fehlt ${host} mit autoVerify.`,
    'Der Host ist nicht bestätigt oder ausgeschaltet. Siehe Einstellungen, Apps, die App, „Standardmäßig öffnen“.',
    'Der installierte Build ist mit einem anderen Zertifikat signiert, etwa dem von Debug-Builds.',
    'Die Adresse wurde getippt oder eingefügt. Nur die Kamera und ein Tipp in einer anderen App öffnen eine App.',
  ],
  again: 'Den Link noch einmal öffnen',
  visit: 'Weiter wie ein Besucher',
  countsNothing: 'Diese Seite zählt keinen Klick.',
};

/** Only the languages of the console, because people who use it read this page. */
export const testTexts = { en, de };

export type TestLanguage = keyof typeof testTexts;

export const testLanguageOf = (acceptLanguage: string | undefined): TestLanguage =>
  preferredLanguage(acceptLanguage, ['en', 'de']);
