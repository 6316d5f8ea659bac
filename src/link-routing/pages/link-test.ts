import { markup, type Markup } from '../../shared/markup';
import type { NamedApp } from '../association-files/named-apps';
import type { System } from '../visitor/system';
import type { Visitor } from '../visitor/visitor';
import { redirectIpad } from './landing';
import { type TestedAnswer, type TestLanguage, testTexts, type Verdict } from './link-test-texts';
import { type HtmlPage, renderPage } from './page';
import { primaryButton, secondaryButton } from './parts';
import { webUrl } from './safe-urls';

export interface LinkTestContent {
  visitor: Visitor;
  system: System;
  answer: TestedAnswer;
  /** The apps of the visitor's platform in the association file; none for a computer. */
  apps: readonly NamedApp[];
  /** The visited host. */
  host: string;
  /** The tested address on the host from which links open apps. */
  openUrl: string;
  /** The address on the visited host, where a tap opens no app. */
  visitUrl: string;
  /** The URL for an iPad that sends the user agent of a Macintosh; null for other devices. */
  ipadUrl: string | null;
}

/** Bound the page. */
const maxShown = { apps: 5, characters: 200 };

/** Returns why the visitor sees the page in place of the app. */
export function verdictOf({ visitor, apps }: Pick<LinkTestContent, 'visitor' | 'apps'>): Verdict {
  if (visitor.platform === 'desktop') return 'computer';
  if (apps.length === 0) return 'no-app';
  if (!apps.some(({ opens }) => opens)) return 'other-address';
  return visitor.inAppBrowser ? 'in-app' : 'not-opened';
}

/** Renders the page that says what the device, its browser and the apps do with a link. */
export function linkTestPage(content: LinkTestContent, language: TestLanguage): HtmlPage {
  const { visitor, answer, host } = content;
  const texts = testTexts[language];
  const verdict = verdictOf(content);
  const { title, text } = texts.verdicts[verdict];
  const reasons =
    verdict !== 'not-opened' ? [] : visitor.platform === 'ios' ? texts.ofIos(host) : texts.ofAndroid(host);
  const opens = verdict === 'in-app' || verdict === 'not-opened';
  const facts: [label: string, value: Markup | string][] = [
    [texts.device, deviceOf(content, language)],
    [texts.browser, visitor.inAppBrowser ? texts.insideApp(visitor.browser) : (visitor.browser ?? texts.unknown)],
    [texts.answer, answerOf(answer, language)],
    ...(visitor.platform === 'desktop' ? [] : [[texts.file, appsOf(content.apps, language)] as [string, Markup]]),
  ];
  return renderPage({
    title,
    language,
    script: redirectIpad,
    scriptValue: webUrl(content.ipadUrl),
    main: markup`<h1>${title}</h1>
<p class="description">${text}</p>
<dl>
${facts.map(([label, value]) => markup`<dt>${label}</dt><dd>${value}</dd>`)}
</dl>
${
  reasons.length > 0
    ? markup`<h2>${texts.reasons}</h2>
<ul>
${reasons.map((reason) => markup`<li>${reason}</li>`)}
</ul>`
    : null
}
<div class="buttons">
${opens ? primaryButton(webUrl(content.openUrl), texts.again) : null}
${secondaryButton(webUrl(content.visitUrl), texts.visit)}
</div>
<p class="note">${texts.countsNothing}</p>`,
  });
}

function deviceOf({ visitor, system }: LinkTestContent, language: TestLanguage): string {
  const name = { ios: 'iPhone, iOS', android: 'Android', desktop: testTexts[language].computer }[visitor.platform];
  return [system.platform === 'ipados' ? 'iPad, iPadOS' : name, system.version?.join('.')].filter(Boolean).join(' ');
}

function answerOf({ kind, location }: TestedAnswer, language: TestLanguage): Markup {
  const text = testTexts[language].answers[kind];
  if (location === null) return markup`${text}`;
  const shown = location.length > maxShown.characters ? `${location.slice(0, maxShown.characters)}…` : location;
  return markup`${text}<br><bdi>${shown}</bdi>`;
}

function appsOf(apps: readonly NamedApp[], language: TestLanguage): Markup {
  const texts = testTexts[language];
  if (apps.length === 0) return markup`${texts.noApp}`;
  const shown = [...apps].sort((one, other) => Number(other.opens) - Number(one.opens)).slice(0, maxShown.apps);
  const further = apps.length - shown.length;
  return markup`${shown.map(({ id, opens }) => markup`${opens ? texts.opens(id) : texts.notHere(id)}<br>`)}${
    further > 0 ? texts.furtherApps(further) : null
  }`;
}
