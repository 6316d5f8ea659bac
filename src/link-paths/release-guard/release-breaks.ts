import { foldBundleId } from '../../shared/bundle-id';
import { matchesPattern } from '../association-files/app-paths';
import type { LinkOwnership } from '../association-files/owned-paths';
import { covers, lostPattern, sharedPattern } from './pattern-cover';

/** An app as the association file has it. */
export interface ServedApp {
  platform: 'ios' | 'android';
  id: string;
  /** Bundle identifier or package name. */
  identifier: string;
  /** Null for Android. */
  teamId: string | null;
  fingerprints: readonly string[];
  /** Null derives them from the links. */
  paths: readonly string[] | null;
}

/** A link whose apps a change may replace. */
export interface LinkApps {
  customPath: string;
  iosAppId: string | null;
  androidAppId: string | null;
}

/** The hosts and apps that a project serves at a moment. */
export interface Served {
  /** Host names on which the project answers. */
  hosts: readonly string[];
  /** The host name in URLs of links; null after the deletion of the project. */
  linkHost: string | null;
  apps: readonly ServedApp[];
  /** Links by which the paths of an app are derived now, and were not before; absent otherwise. */
  links?: readonly LinkOwnership[];
}

export interface ReleaseChange {
  before: Served;
  after: Served;
  link?: { before: LinkApps; after: LinkApps };
}

/** A version that people have installed, with what it needs. */
export interface LiveRelease {
  platform: 'ios' | 'android';
  appId: string;
  version: string;
  hosts: readonly string[];
  paths: readonly string[] | null;
  identifier: string;
  fingerprints: readonly string[];
}

export const breakReasons = ['host', 'link_host', 'app', 'identifier', 'fingerprint', 'paths', 'link'] as const;

/** A version that a change breaks, with the first reason and what it loses. */
export interface ReleaseBreak extends Pick<LiveRelease, 'platform' | 'appId' | 'version'> {
  reason: (typeof breakReasons)[number];
  lost: string;
}

/** Returns the versions that open less after a change than before. One that opened nothing before loses nothing. */
export const breaksOf = (change: ReleaseChange, releases: readonly LiveRelease[]): ReleaseBreak[] =>
  releases.flatMap((release) => {
    const loss = lossOf(change, release);
    if (loss === null) return [];
    const { platform, appId, version } = release;
    return [{ platform, appId, version, ...loss }];
  });

type Loss = Pick<ReleaseBreak, 'reason' | 'lost'>;

function lossOf({ before, after, link }: ReleaseChange, release: LiveRelease): Loss | null {
  const opened = before.apps.find((app) => isAppOf(app, release));
  if (!opened || !before.hosts.some((host) => opensHost(release, host))) return null;
  const host = before.hosts.find((one) => opensHost(release, one) && !after.hosts.includes(one));
  if (host !== undefined) return { reason: 'host', lost: host };
  const { linkHost } = before;
  if (linkHost !== null && opensHost(release, linkHost) && !opensHost(release, after.linkHost ?? ''))
    return { reason: 'link_host', lost: linkHost };
  return appLoss(opened, before, after, release) ?? linkLoss(opened, link, release);
}

function appLoss(opened: ServedApp, before: Served, after: Served, release: LiveRelease): Loss | null {
  const app = after.apps.find(({ platform, id }) => platform === release.platform && id === release.appId);
  if (!app) return { reason: 'app', lost: release.identifier };
  if (app.teamId !== opened.teamId) return { reason: 'identifier', lost: `${opened.teamId}.${release.identifier}` };
  if (!hasIdentifier(app, release)) return { reason: 'identifier', lost: release.identifier };
  const fingerprint = release.fingerprints.find(
    (one) => opened.fingerprints.includes(one) && !app.fingerprints.includes(one),
  );
  if (fingerprint !== undefined) return { reason: 'fingerprint', lost: fingerprint };
  const taken = app.paths === null ? takenPatterns(opened, before, after) : [];
  const pattern =
    lostPattern(release.paths, opened.paths, app.paths) ?? sharedPattern(release.paths, opened.paths, taken);
  return pattern === null ? null : { reason: 'paths', lost: pattern };
}

/** Returns the patterns that an app with derived paths leaves to the other apps of its platform, and did not before. */
function takenPatterns(opened: ServedApp, before: Served, after: Served): string[] {
  const claimed = ({ apps }: Served) =>
    apps
      .filter(({ platform, id }) => platform === opened.platform && id !== opened.id)
      .flatMap(({ paths }) => paths ?? []);
  if (opened.paths === null) {
    const known = claimed(before);
    return claimed(after).filter((pattern) => !known.some((outer) => covers(outer, pattern)));
  }
  const foreign = (after.links ?? []).filter((link) => {
    const appId = opened.platform === 'ios' ? link.iosAppId : link.androidAppId;
    return appId !== null && appId !== opened.id;
  });
  return [...claimed(after), ...foreign.map(({ path }) => `/${path}`)];
}

/** Returns whether a change derives the paths of an app from the links, which had patterns before. */
export const derivesPaths = (before: Served, after: Served): boolean =>
  before.apps.some(({ id, paths }) => paths !== null && after.apps.some((app) => app.id === id && app.paths === null));

/** Returns the link if it no longer opens the app. A link that names no app opens each app whose paths are derived. */
function linkLoss({ id, platform, paths }: ServedApp, link: ReleaseChange['link'], release: LiveRelease): Loss | null {
  if (!link || paths !== null) return null;
  const path = `/${link.before.customPath}`;
  if (release.paths !== null && !release.paths.some((pattern) => matchesPattern(pattern, path))) return null;
  const opens = (apps: LinkApps) => [null, id].includes(platform === 'ios' ? apps.iosAppId : apps.androidAppId);
  return opens(link.before) && !opens(link.after) ? { reason: 'link', lost: path } : null;
}

export const isAppOf = (app: ServedApp, release: LiveRelease): boolean =>
  app.platform === release.platform && app.id === release.appId && hasIdentifier(app, release);

/** Compares bundle identifiers without regard to letter case, as Apple does. */
const hasIdentifier = ({ platform, identifier }: ServedApp, release: LiveRelease): boolean =>
  platform === 'ios'
    ? foldBundleId(identifier) === foldBundleId(release.identifier)
    : identifier === release.identifier;

/** Returns whether the version opens links on the host name. */
export const opensHost = ({ hosts }: Pick<LiveRelease, 'hosts'>, host: string): boolean =>
  hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : one === host));
