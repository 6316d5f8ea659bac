import type { components } from '../../../clients/typescript/src/schema';
import { type PageLanguage, pageTexts } from '../../../src/link-routing/pages/page-texts';
import { sendApiRequest } from '../../support/api-request';
import { type RawAnswer, sendRequest } from '../../support/raw-http';
import type { TestService } from '../../support/service';

export type Explanation = components['schemas']['Explanation'];
type Answer = Explanation['answer'];
type Page = NonNullable<Answer['page']>;

/** The request of a visit. Text outside ASCII is sent as UTF-8. */
export interface Visit {
  path: string;
  query?: string;
  userAgent?: string;
  clientHint?: string;
  acceptLanguage?: string;
  requestedWith?: string;
}

export const visit = (on: TestService, subdomain: string, { path, query, ...headers }: Visit) => {
  const sent = {
    Host: `${subdomain}.localhost`,
    'User-Agent': headers.userAgent,
    'Sec-CH-UA-Platform': headers.clientHint,
    'Accept-Language': headers.acceptLanguage,
    'X-Requested-With': headers.requestedWith,
  };
  const given = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return sendRequest(on.url, `GET /${path}${query === undefined ? '' : `?${query}`}`, Object.fromEntries(given));
};

/** Returns the explanation of a visit to a link, or to the path in the parameters; fails unless the answer matches its schema. */
export async function explainVisit(
  on: TestService,
  key: string,
  { projectId, linkId }: { projectId: string; linkId?: string },
  parameters: Record<string, string | undefined>,
): Promise<Explanation> {
  const query = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const path = `/projects/${projectId}${linkId === undefined ? '' : `/links/${linkId}`}/explain?${query.join('&')}`;
  const { status, text, body } = await sendApiRequest(on, key, 'GET', path);
  expect([status, text]).toEqual([200, text]);
  return (body as { data: Explanation }).data;
}

const token = /(deferred_link(?:=|%3D|%253D))[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])/;

/** The marker of a measured way out of an in-app browser. */
const marker = /(?<=browser-page)~[\w.~%-]+/;

/** Converts the HTTP response of a visit to the form of an explanation. */
export function readAnswer({ status, headers, text }: RawAnswer): Answer {
  const whole = `${headers['location'] ?? ''}${text}`;
  const withPlaceholder = (url: string): string => url.replace(token, '$1TOKEN').replace(marker, '');
  const location = headers['location'];
  return {
    kind: location === undefined ? kindOf(text) : 'redirect',
    status: status as Answer['status'],
    location: location === undefined ? null : withPlaceholder(location),
    issues_token: token.test(whole),
    page: location === undefined ? readPage(text, withPlaceholder) : null,
  };
}

/** Recognises a page by text that only this page has. */
function kindOf(html: string): Answer['kind'] {
  const { continueWithoutCopying, open, openInApp } = pageTexts[languageOf(html)];
  if (html.includes('property="og:title"')) return 'preview';
  if (html.includes(`>${continueWithoutCopying}</a>`)) return 'get_the_app';
  if (html.includes(`>${openInApp}</a>`)) return 'in_app_browser';
  if (html.includes(`>${open}</a>`)) return 'other_scheme';
  return 'landing';
}

const languageOf = (html: string) => /<html lang="(\w+)">/.exec(html)![1] as PageLanguage;

function readPage(html: string, withPlaceholder: (url: string) => string): Page {
  const found = (pattern: RegExp): string | null => {
    const [, text] = pattern.exec(html) ?? [];
    return text === undefined ? null : decoded(text);
  };
  const button = (words: string) => found(new RegExp(`<a [^>]*href="([^"]*)"[^>]*>${words}</a>`));
  const kind = kindOf(html);
  const language = languageOf(html);
  const texts = pageTexts[language];
  const script = found(/<script data-value="([^"]*)"/);
  const addresses: Record<Page['links'][number]['role'], string | null> = {
    open_app: button(texts.openInApp),
    open_browser: button(texts.openInBrowser),
    continue: button(texts.continue),
    destination: button(texts.open),
    app_store: button(texts.appStore) ?? button(texts.getTheApp),
    play_store: button(texts.playStore),
    clipboard: kind === 'get_the_app' ? script : null,
    ipad: kind === 'landing' ? script : null,
  };
  const tags = [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)]
    .map(([, name, content]) => [name!, decoded(content!)] as const)
    .filter(([name]) => name !== 'viewport');
  return {
    language: kind === 'preview' ? null : language,
    title: found(/<title>([^<]*)<\/title>/)!,
    description: found(/<p class="description" lang="" dir="auto">([^<]*)<\/p>/),
    image_url: found(/<img src="([^"]*)"/),
    links: Object.entries(addresses).flatMap(([role, url]) =>
      url === null ? [] : [{ role: role as Page['links'][number]['role'], url: withPlaceholder(url) }],
    ),
    tags: kind === 'preview' ? Object.fromEntries(tags) : null,
  };
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = (html: string): string => html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!);
