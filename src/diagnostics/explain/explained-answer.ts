import type { AnswerContents, ParsedVisit } from '../../link-routing/answers/answer-contents';
import type { Answer } from '../../link-routing/answers/answer';
import { type PageLanguage, pageTexts } from '../../link-routing/pages/page-texts';
import { lockCardOf } from '../../link-routing/pages/lock';
import type { Card } from '../../link-routing/pages/page';
import { pictureOf } from '../../link-routing/pages/picture';
import { previewTags } from '../../link-routing/pages/preview';

export const answerKinds = [
  'redirect',
  'preview',
  'in_app_browser',
  'get_the_app',
  'other_scheme',
  'landing',
  'disabled',
  'locked',
  'expired',
  'not_found',
] as const;

export const pageLinkRoles = [
  'open_app',
  'open_browser',
  'continue',
  'destination',
  'app_store',
  'play_store',
  'clipboard',
  'ipad',
] as const;

export type PageLinkRole = (typeof pageLinkRoles)[number];

export interface ExplainedAnswer {
  kind: (typeof answerKinds)[number];
  status: 200 | 302 | 404 | 410;
  /** Null for a page. */
  location: string | null;
  page: ExplainedPage | null;
}

export interface ExplainedPage {
  /** The language of the service's texts; null for a preview, which has none. */
  language: PageLanguage | null;
  title: string;
  description: string | null;
  imageUrl: string | null;
  links: { role: PageLinkRole; url: string }[];
  /** Contents of the meta elements by name; null except for a preview. */
  tags: Record<string, string> | null;
}

export function explainedAnswer(
  answer: Answer,
  contents: AnswerContents<ParsedVisit>,
  visit: ParsedVisit,
  language: PageLanguage,
): ExplainedAnswer {
  switch (answer.kind) {
    case 'redirect':
      return explainedRedirect(contents.redirectUrl(answer, visit));
    case 'play-store':
      return explainedRedirect(contents.playStoreUrl(answer.page, visit, 'store'));
    case 'preview': {
      const content = contents.preview(visit);
      const tags = Object.fromEntries(previewTags(content).map(({ key, content }) => [key, content]));
      return page('preview', null, content, {}, tags);
    }
    case 'in-app-browser': {
      const content = contents.inAppBrowser(answer, visit);
      const links = { open_app: content.openUrl, open_browser: content.browserUrl, continue: content.continueUrl };
      return page('in_app_browser', language, content, links);
    }
    case 'get-the-app': {
      const content = contents.getTheApp(answer, visit);
      const links = { open_app: content.openUrl, app_store: content.storeUrl, clipboard: content.clipboardText };
      return page('get_the_app', language, content, links);
    }
    case 'other-scheme': {
      const content = contents.otherScheme(answer, visit);
      const links = { open_browser: content.browserUrl, destination: content.destination };
      return page('other_scheme', language, content, links);
    }
    case 'landing': {
      const content = contents.landing(visit);
      const links = { app_store: content.appStoreUrl, play_store: content.playStoreUrl, ipad: content.ipadUrl };
      return page('landing', language, content, links);
    }
    case 'disabled':
      return messageAnswer('disabled', language);
  }
}

/** The pages of the service about links without a destination: their texts, and their status. */
const messages = {
  not_found: ['notFound', 404],
  disabled: ['disabled', 410],
  expired: ['expired', 410],
} as const;

export function messageAnswer(kind: keyof typeof messages, language: PageLanguage): ExplainedAnswer {
  const [name, status] = messages[kind];
  const { title, text: description } = pageTexts[language][name];
  return { ...page(kind, language, { title, description, imageUrl: null }, {}), status };
}

export const lockedAnswer = (hasPassword: boolean, language: PageLanguage): ExplainedAnswer =>
  page('locked', language, { ...lockCardOf(hasPassword, language), imageUrl: null }, {});

export const explainedRedirect = (location: string): ExplainedAnswer => ({
  kind: 'redirect',
  status: 302,
  location,
  page: null,
});

function page(
  kind: ExplainedAnswer['kind'],
  language: PageLanguage | null,
  { title, description, imageUrl }: Card,
  addresses: Partial<Record<PageLinkRole, string | null>>,
  tags: ExplainedPage['tags'] = null,
): ExplainedAnswer {
  const links = pageLinkRoles.flatMap((role) => {
    const url = addresses[role];
    return url ? [{ role, url }] : [];
  });
  const shown = { language, title, description: description || null, imageUrl: pictureOf(imageUrl) && imageUrl };
  return { kind, status: 200, location: null, page: { ...shown, links, tags } };
}
