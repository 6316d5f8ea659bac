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
import { userAgents } from '../../link-routing/user-agents';

export const { iphone: iPhone, pixel, macintosh } = userAgents;

export const dayMs = 24 * 60 * 60_000;
export const minuteMs = 60_000;

/** A token that was never issued. */
export const unknownToken = 'AAAAAAAAAAAAAAAAAAAAAA';

export interface Campaign {
  key: string;
  project: ProjectBody;
  link: LinkBody;
}

/** Creates a link with an app on both platforms and a deferred deep link on iOS. */
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

/** Returns the distinct tokens in a text. */
export const tokensIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/deferred_link(?:=|%3D|%253D)([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])/g)].map((m) => m[1]!)),
];

/** Returns the text that the page's script copies. */
export function clipboardTextOf(html: string): string {
  const value = /data-value="([^"]*)"/.exec(html)?.[1];
  if (value === undefined) throw new Error('the page copies nothing');
  return value.replaceAll('&amp;', '&');
}

/** Parses the install referrer like the app. */
export const referrerOf = (playUrl: string): URLSearchParams =>
  new URLSearchParams(new URL(playUrl).searchParams.get('referrer') ?? '');

/** Visits with an iPhone and returns the token from the clipboard text. */
export async function iosToken(on: TestService, { project, link }: Campaign, path = link.custom_path): Promise<string> {
  const { text } = await on.visit(project.subdomain, `/${path}`, { 'User-Agent': iPhone }).expect(200);
  return new URL(clipboardTextOf(text)).searchParams.get('deferred_link')!;
}

/** Visits with Android and returns the token from the install referrer. */
export async function androidToken(on: TestService, { project, link }: Campaign): Promise<string> {
  const { headers } = await on.visit(project.subdomain, `/${link.custom_path}`, { 'User-Agent': pixel }).expect(302);
  return referrerOf(headers['location']!).get('deferred_link')!;
}

/** Sends the claim of an installed app. */
export const claim = (
  on: TestService,
  subdomain: string,
  token: unknown,
  headers: Record<string, string> = {},
  claimId?: string,
): supertest.Test =>
  supertest(on.url)
    .post('/deferred-links/claim')
    .set({ Host: `${subdomain}.localhost`, ...headers })
    .send({ token, claim_id: claimId });

/** Counts the tokens without those that were claimed, whose rows stay for some time. */
export const storedTokens = async (on: TestService): Promise<number> =>
  (
    await on.database.query<{ count: number }>('SELECT count(*)::int FROM deferred_links WHERE expires_at > clicked_at')
  )[0]!.count;

/** Waits until `count` tokens are stored, because they are written shortly after they are issued. */
export const untilStored = (on: TestService, count: number): Promise<true> =>
  eventually(async () => (await storedTokens(on)) === count && (true as const));

/** Makes the stored tokens older, as if time had passed since their visits. */
export const age = (on: TestService, milliseconds: number): Promise<unknown> =>
  on.database.query(
    `UPDATE deferred_links SET clicked_at = clicked_at - passed, expires_at = expires_at - passed
     FROM (SELECT $1 * interval '1 millisecond' AS passed) AS time`,
    [milliseconds],
  );

/** Makes the stored claims an hour older. */
export const ageClaims = (on: TestService): Promise<unknown> =>
  on.database.query("UPDATE deferred_links SET claimed_at = claimed_at - interval '1 hour'");

/** Moves the clock to the start of the next rate limit window. */
export function startOfMinute(on: TestService): void {
  on.clock.ahead += minuteMs - (on.clock.now() % minuteMs);
}
