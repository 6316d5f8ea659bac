import supertest from 'supertest';
import {
  aDynamicLink,
  anAndroidApp,
  anIosApp,
  aProject,
  type LinkBody,
  type ProjectBody,
} from '../../support/builders';
import { eventually } from '../../support/eventually';
import type { TestService } from '../../support/service';

export const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
export const pixel =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';
export const macintosh =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15';

export const day = 24 * 60 * 60_000;
export const minute = 60_000;

/** A token that was never handed out. */
export const unknownToken = 'AAAAAAAAAAAAAAAAAAAAAA';

export interface Campaign {
  key: string;
  project: ProjectBody;
  link: LinkBody;
}

/** A link that installs its app on either platform, with a deferred deep link on iOS. */
export async function aCampaign(
  on: TestService,
  fields: Record<string, unknown> = {},
  key?: string,
): Promise<Campaign> {
  const owner = key ?? (await on.anAccount('enterprise')).key;
  const project = await aProject(on, owner);
  const iosApp = await anIosApp(on, owner, project.id, { name: 'Shop', appstore_id: '1234567890' });
  const androidApp = await anAndroidApp(on, owner, project.id, { name: 'Shop', package_name: 'com.example.shop' });
  const link = await aDynamicLink(on, owner, project.id, {
    custom_path: 'summer',
    ios_app_id: iosApp.id,
    android_app_id: androidApp.id,
    ios_deferred_deep_link: true,
    ...fields,
  });
  return { key: owner, project, link };
}

/** Every token in a text, once each. */
export const tokensIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/deferred_link(?:=|%3D|%253D)([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])/g)].map((m) => m[1]!)),
];

/** What the page has its script copy. */
export function copiedBy(html: string): string {
  const value = /data-value="([^"]*)"/.exec(html)?.[1];
  if (value === undefined) throw new Error('the page copies nothing');
  return value.replaceAll('&amp;', '&');
}

/** The pairs inside the install referrer, as the app reads it. */
export const referrerOf = (playUrl: string): URLSearchParams =>
  new URLSearchParams(new URL(playUrl).searchParams.get('referrer') ?? '');

/** A visit on an iPhone, and the token that it leaves on the clipboard. */
export async function iosToken(on: TestService, { project, link }: Campaign, path = link.custom_path): Promise<string> {
  const { text } = await on.visit(project.subdomain, `/${path}`, { 'User-Agent': iPhone }).expect(200);
  return new URL(copiedBy(text)).searchParams.get('deferred_link')!;
}

/** A visit on Android, and the token that Play hands to the app. */
export async function androidToken(on: TestService, { project, link }: Campaign): Promise<string> {
  const { headers } = await on.visit(project.subdomain, `/${link.custom_path}`, { 'User-Agent': pixel }).expect(302);
  return referrerOf(headers['location']!).get('deferred_link')!;
}

/** What an app sends once it is installed. */
export const claim = (
  on: TestService,
  subdomain: string,
  token: unknown,
  headers: Record<string, string> = {},
): supertest.Test =>
  supertest(on.url)
    .post('/deferred-links/claim')
    .set({ Host: `${subdomain}.localhost`, ...headers })
    .send({ token });

export const storedTokens = async (on: TestService): Promise<number> =>
  (await on.database.query<{ count: number }>('SELECT count(*)::int FROM deferred_links'))[0]!.count;

/** Tokens are written a moment after they are handed out; only the process that did so knows them before. */
export const untilStored = (on: TestService, count: number): Promise<true> =>
  eventually(async () => (await storedTokens(on)) === count && (true as const));

/** Moves the clock to where the next minute of counting begins. */
export function startOfMinute(on: TestService): void {
  on.clock.ahead += minute - (on.clock.now() % minute);
}
