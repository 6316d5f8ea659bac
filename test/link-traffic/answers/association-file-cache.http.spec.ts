import type { AndroidApp, IosApp } from '../../../clients/typescript/src/index';
import { noWebPaths } from '../../../src/link-paths/association-files/web-paths';
import { longLinksId } from '../../../src/link-routing/visited-link/long-link';
import { AssociationFileCache } from '../../../src/link-traffic/answers/association-file-cache';
import type { CachedProject } from '../../../src/link-traffic/resolving/cached-models';
import type { Site } from '../../../src/link-traffic/resolving/site';
import type { LinkOwnerships } from '../../../src/link-paths/association-files/owned-paths';
import { aVisitedIosApp, aVisitedProject } from '../../link-routing/builders';
import { appsOnAndroid, appsOnIos } from '../../link-routing/association-files/phone-models';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, aShortLink } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { fixtureOfEach, serviceFixture, accountFixture } from '../../support/fixtures';
import { formatProblems, getHealth } from '../../diagnostics/association-health/get-health';
import { explainVisit } from '../../diagnostics/explain/read-answer';

// Files of projects with several apps depend on the links, and are built when a phone asks for them.

describe('over HTTP', () => {
  const on = serviceFixture();
  const account = accountFixture(on);
  const project = fixtureOfEach(() => aProject(on, account.key));
  let ios: IosApp[];
  let android: AndroidApp[];
  beforeEach(async () => {
    const of = [on, account.key, project.id] as const;
    ios = [await anIosApp(...of), await anIosApp(...of)];
    android = [await anAndroidApp(...of), await anAndroidApp(...of)];
  });

  const appsOf = (at: 0 | 1) => ({ ios_app_id: ios[at]!.id, android_app_id: android[at]!.id });
  const aLink = (path: string, app: 0 | 1) =>
    aDynamicLink(on, account.key, project.id, { custom_path: path, ...appsOf(app) });
  const fetchFile = async (name: string) =>
    (await on.visit(project.subdomain, `/.well-known/${name}`).buffer(true).expect(200)).text;

  /** Returns the numbers of the apps that phones open for a path, such as `0 0,1`. */
  async function opened(path: string): Promise<string> {
    const url = `https://summer.go.example.com/${path}`;
    const bundles = appsOnIos(await fetchFile('apple-app-site-association'), url);
    const packages = appsOnAndroid(await fetchFile('assetlinks.json'), url, 15);
    const ofIos = bundles.map((id) => ios.findIndex((app) => id === `${app.team_id}.${app.bundle_id}`));
    const ofAndroid = packages.map((name) => android.findIndex((app) => name === app.package_name));
    return `${ofIos.join()} ${ofAndroid.join()}`;
  }

  test('each link and its short links open the app of the link, and the explanation agrees', async () => {
    const links = [await aLink('a', 0), await aLink('b/c', 1)];
    const { slug } = await aShortLink(on, account.key, project.id, links[1]!.id);
    const all = [await opened('a'), await opened('b/c'), await opened(slug), await opened('other')];
    expect(all).toEqual(['0 0', '1 1', '1 1', '0,1 0,1']);
    for (const [at, { id }] of links.entries()) {
      const { apps } = await explainVisit(on, account.key, { projectId: project.id, linkId: id }, { platform: 'ios' });
      expect(apps).toEqual([
        { platform: 'ios', id: ios[at]!.id, name: ios[at]!.name },
        { platform: 'android', id: android[at]!.id, name: android[at]!.name },
      ]);
      const stays = { platform: 'ios', query: '_via=page' };
      expect((await explainVisit(on, account.key, { projectId: project.id, linkId: id }, stays)).apps).toEqual([]);
    }
  });

  test('a change of the apps shows within a second, and marked links are left out', async () => {
    for (const folder of ['x/1', 'x/2']) await aLink(folder, 0);
    const { id } = await aLink('x/3', 1);
    expect(await opened('x/3')).toBe('1 1');
    await on.database.query('UPDATE dynamic_links SET deleted_at = now() WHERE id = $1', [id]);
    const path = `/projects/${project.id}/ios-apps/${ios[1]!.id}`;
    const paths = ['/b*'];
    await on.api('put', path, account.key).send({ paths }).expect(200);
    await eventually(async () => (await opened('b')) === '1 0,1');
    // All links of the folder name one app now.
    expect(await opened('x/3')).toBe('0 0');
  });

  test('a project with more paths than the limit opens links in any app, and health says so', async () => {
    await aLink('a', 0);
    await on.database.query(
      `INSERT INTO dynamic_links (id, project_id, name, custom_path, ios_app_id)
       SELECT gen_random_uuid(), $1, 'Many', 'many' || n, $2 FROM generate_series(1, 1000) n`,
      [project.id, ios[0]!.id],
    );
    expect(await opened('a')).toBe('0,1 0,1');
    const problems = formatProblems(await getHealth(on, account.key, project.id));
    expect(problems.filter((problem) => problem.includes('paths_not_derived'))).toEqual(
      ['ios', 'android'].map(
        (platform) => expect.stringMatching(new RegExp(` paths_not_derived ${platform}$`)) as string,
      ),
    );
    await on.database.query("DELETE FROM dynamic_links WHERE project_id = $1 AND custom_path = 'many1'", [project.id]);
    const path = `/projects/${project.id}/ios-apps/${ios[0]!.id}`;
    await on.api('put', path, account.key).send({ name: 'Changed', bundle_id: 'a.b' }).expect(200);
    await eventually(async () => JSON.stringify(await fetchFile('apple-app-site-association')).includes('/many2'));
  });
});

describe('the cache', () => {
  const begin = Date.parse('2026-06-01');
  let now: number;
  let reads: string[];
  let answer: () => Promise<LinkOwnerships>;
  let cache: AssociationFileCache;
  beforeEach(() => {
    now = begin;
    reads = [];
    answer = () => Promise.resolve([{ path: 'a', iosAppId: '0', androidAppId: null }]);
    const findOwnedPaths = (projectId: string) => {
      reads.push(projectId);
      return answer();
    };
    cache = new AssociationFileCache(
      { findOwnedPaths, findWebPaths: () => Promise.resolve(noWebPaths) },
      { now: () => now },
      100_000,
    );
  });

  let versions = 0;
  /** Builds a project as it is read. Each reading has another version. */
  const cachedProject = (bundleId = 'b'): CachedProject => ({
    ...aVisitedProject(),
    site: 'summer' as Site,
    version: ++versions,
    iosApps: new Map([
      ['0', aVisitedIosApp({ bundleId: 'a' })],
      ['1', aVisitedIosApp({ bundleId })],
    ]),
    androidApps: new Map(),
    longLinks: { id: longLinksId, shortLinkId: null, shortLinkSource: null, quarterSerial: 0, numberInQuarter: 0 },
  });
  const unavailable = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));

  test('reads the links once a minute', async () => {
    const project = cachedProject();
    const first = await cache.filesOf(project);
    expect(first.appleFile.content.toString()).toContain('"/":"/a","exclude":true');
    now = begin + 59_999;
    expect(cache.filesOf(project)).toBe(first);
    now = begin + 60_001;
    expect(await cache.filesOf(project)).not.toBe(first);
    expect(reads).toHaveLength(2);
    expect(cache.size).toBe(1);
  });

  test('shares one read among parallel requests of one state', async () => {
    const project = cachedProject();
    const [one, two] = [cache.filesOf(project), cache.filesOf(project)];
    const changed = cache.filesOf(cachedProject('changed'));
    expect(await one).toBe(await two);
    expect(await changed).not.toBe(await one);
    expect(reads).toHaveLength(2);
  });

  test('serves earlier files of the same state while the database is unavailable', async () => {
    const project = cachedProject();
    const first = await cache.filesOf(project);
    answer = unavailable;
    for (const later of [60_001, 59 * 60_000]) {
      now = begin + later;
      expect(await cache.filesOf(project)).toBe(first);
    }
    expect(cache.counts.stale).toBe(2);
    await expect(cache.filesOf(cachedProject('changed'))).rejects.toThrow('gone');
    answer = () => Promise.resolve([]);
    now += 60_001;
    expect(await cache.filesOf(project)).not.toBe(first);
  });

  test('reads nothing for a project without apps', async () => {
    answer = unavailable;
    const { appleFile, androidFile } = await cache.filesOf({ ...cachedProject(), iosApps: new Map() });
    expect([appleFile, androidFile].map(({ content }) => JSON.parse(content.toString()) as unknown)).toEqual([
      { applinks: { details: [] } },
      [],
    ]);
    expect(reads).toEqual([]);
  });
});
