import type { AndroidApp, IosApp } from '../../../clients/typescript/src/index';
import { userAgents } from '../../link-routing/user-agents';
import { aDynamicLink, anAndroidApp, anIosApp, aShortLink, type LinkBody } from '../../support/builders';
import { explainVisit, type Explanation } from './read-answer';
import { fixture, serviceFixture, projectFixture } from '../../support/fixtures';

let iosApp: IosApp;
let androidApp: AndroidApp;
const links: Record<string, LinkBody> = {};

const desktop = 'https://example.com/desktop?keep=%41#part';
const urls = {
  desktop_url: desktop,
  ios_fallback_url: 'https://example.com/ios',
  android_fallback_url: 'https://example.com/android',
};

const on = serviceFixture();
const account = fixture(() => on.anAccount('enterprise'));
const project = projectFixture(on, account);
beforeAll(async () => {
  const { key } = account;

  iosApp = await anIosApp(on, key, project.id, { name: 'Garden & Co', appstore_id: '1234567890' });
  androidApp = await anAndroidApp(on, key, project.id, { name: 'Garden & Co' });
  const unreleased = await anIosApp(on, key, project.id, { name: 'Beta' });
  const apps = { ios_app_id: iosApp.id, android_app_id: androidApp.id };
  const fields: Record<string, Record<string, unknown>> = {
    urls,
    apps,
    deferred: { ...urls, ...apps, ios_deferred_deep_link: true },
    unreleased: { desktop_url: desktop, ios_app_id: unreleased.id },
  };
  for (const [path, given] of Object.entries(fields))
    links[path] = await aDynamicLink(on, key, project.id, { desktop_url: undefined, custom_path: path, ...given });
});

const explain = (path: string, parameters: Record<string, string | undefined>): Promise<Explanation> =>
  explainVisit(on, account.key, { projectId: project.id, linkId: links[path]!.id }, parameters);

// destination.spec.ts and visitor.spec.ts have the findings of each rule.
test.each<[string, string, Record<string, string>, string]>([
  [
    'one who continues from a page',
    'deferred',
    { user_agent: userAgents.instagramOnIphone, query: '_via=page&ct=1' },
    `query noted: reserved_taken_off, platform noted: ios_device, preview passed: no_social_crawler,
     in_app_browser passed: from_our_page, get_the_app taken: taken, parameters noted: campaign_only, token noted: issued`,
  ],
  [
    'a robot on the way to Google Play',
    'apps',
    { user_agent: userAgents.googlebot, query: 'utm_source=x' },
    `query noted: kept, platform noted: android_device, preview passed: no_social_crawler,
     in_app_browser passed: own_browser, android_fallback_url passed: not_set, play_store taken: taken,
     parameters noted: in_referrer, token noted: robot`,
  ],
  [
    'an iPad that calls itself one',
    'apps',
    { user_agent: userAgents.macintosh, query: '_via=ipad' },
    `query noted: reserved_taken_off, platform noted: unknown, ipad noted: found_out, preview passed: no_social_crawler,
     in_app_browser passed: own_browser, get_the_app passed: off, ios_fallback_url passed: not_set,
     app_store taken: taken, parameters noted: none`,
  ],
])('the steps list the rules for %s', async (_, path, parameters, expected) => {
  const { steps } = await explain(path, parameters);
  expect(steps.map(({ rule, outcome, finding }) => `${rule} ${outcome}: ${finding}`)).toEqual(expected.split(/,\s+/));
});

test('the URL is the visited URL with the custom path, percent-encoded as browsers send it', async () => {
  await aShortLink(on, account.key, project.id, links['urls']!.id);
  const { url, answer } = await explain('urls', { platform: 'desktop', query: 'x=%41&_via=page&ä="ü x' });
  expect(url).toBe(`${links['urls']!.full_url}?x=%41&%C3%A4=%22%C3%BC%20x`);
  expect(answer.location).toBe('https://example.com/desktop?keep=%41&x=%41&%C3%A4="%C3%BC%20x#part');
});

test.each<[string, string, string]>([
  ['?user_agent=x&in_app_browser=true', 'in_app_browser', 'invalid_format'],
  ['?user_agent=a%0d%0ab', 'user_agent', 'invalid_format'],
  ['?platform=ios&requested_with=x', 'requested_with', 'invalid_format'],
  ['?platform=ios&query=a%0a', 'query', 'invalid_format'],
])('the query %.60s is refused', async (search, field, code) => {
  const path = `/projects/${project.id}/links/${links['urls']!.id}/explain${search}`;
  const details = [{ code, path: [field], message: expect.any(String) as string }];
  expect(await on.api('get', path, account.key)).toBeRefusedWith('INVALID_INPUT', details);
});

test('released versions are examined on the platform of the visitor, for the host that the caller names', async () => {
  const body = { version: '3.0', hosts: [`${project.subdomain}.localhost`] };
  for (const app of [`ios-apps/${iosApp.id}`, `android-apps/${androidApp.id}`])
    await on.api('post', `/projects/${project.id}/${app}/releases`, account.key).send(body).expect(201);
  const failed = async (platform: string, more: Record<string, string> = {}, path = 'apps') => {
    const { releases } = await explain(path, { platform, app_version: '3.0', ...more });
    return releases.map(({ platform, opens, steps }) => [
      platform,
      opens,
      ...steps.filter(({ passed }) => !passed).map(({ check }) => check),
    ]);
  };
  expect(await failed('ios')).toEqual([['ios', true]]);
  expect(await failed('android')).toEqual([['android', true]]);
  expect(await failed('desktop')).toEqual([]);
  expect(await failed('ios', { app_version: '3.1' })).toEqual([]);
  expect(await failed('ios', { host: 'Old.example.com' })).toEqual([['ios', false, 'host_named', 'host_served']]);
  expect(await failed('ios', {}, 'unreleased')).toEqual([['ios', false, 'app_paths']]);
});
