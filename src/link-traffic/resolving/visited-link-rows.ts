import { lockedWeb, lockOf } from '../../link-routing/visited-link/lock';
import { destinationsOf, hostsOfSamePath } from '../../link-routing/visited-link/own-address';
import { compileLink, mergedParams, type TemplateParts } from '../../link-routing/visited-link/ruled-link';
import {
  hasOtherSchemes,
  servedDestination,
  servedParams,
  servedUrl,
} from '../../link-routing/visited-link/served-values';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { QueryForwarding } from '../../shared/query-forwarding';
import { type CachedLink, nextVersion } from './cached-models';

/** Selects links by the ids of projects, `$1`, and paths, `$2`. */
export const visitedLinksSql = `SELECT taken.project_id, taken.path, link.id, taken.short_link_id, short.source, link.desktop_url, link.ios_app_id,
       link.android_app_id, link.ios_fallback_url, link.android_fallback_url, link.ios_deferred_deep_link,
       link.social_title, link.social_description, link.social_image_url, link.referrer_params,
       link.title, link.disabled, link.query_forwarding, link.forwarded_params, link.custom_path, link.external_id, link.app_data,
       link.conversions,
       link.rules, link.active_from, link.active_until, link.expired_url, link.variants, link.password_hash, link.click_limit, link.used_up, template.id,
       CASE WHEN template.id IS NOT NULL THEN json_build_object(
         'name', template.name, 'referrerParams', template.referrer_params, 'rules', template.rules) END
FROM unnest($1::uuid[], $2::text[]) AS asked (project_id, path)
JOIN link_paths taken ON taken.project_id = asked.project_id AND taken.path = asked.path
JOIN dynamic_links link ON link.id = taken.dynamic_link_id AND link.deleted_at IS NULL
LEFT JOIN short_links short ON short.id = taken.short_link_id
LEFT JOIN link_templates template ON template.project_id = link.project_id AND template.name = link.template`;

export type VisitedLinkRow = [
  projectId: string,
  path: string,
  id: string,
  shortLinkId: string | null,
  shortLinkSource: string | null,
  desktopUrl: string | null,
  iosAppId: string | null,
  androidAppId: string | null,
  iosFallbackUrl: string | null,
  androidFallbackUrl: string | null,
  iosDeferredDeepLink: boolean,
  socialTitle: string | null,
  socialDescription: string | null,
  socialImageUrl: string | null,
  referrerParams: unknown,
  title: string | null,
  disabled: boolean,
  queryForwarding: QueryForwarding | null,
  forwardedParams: string[],
  customPath: string,
  externalId: string | null,
  appData: string | null,
  conversions: boolean,
  rules: string | null,
  activeFrom: Date | null,
  activeUntil: Date | null,
  expiredUrl: string | null,
  variants: string | null,
  passwordHash: Buffer | null,
  clickLimit: number | null,
  usedUp: boolean,
  templateId: string | null,
  template: TemplateParts | null,
];

/** Shared, because nearly every link has no list. */
const noParams: readonly string[] = [];

/** Writes each property at once: an object that another one is spread into has slower properties, in every visit. */
export function toLink(row: VisitedLinkRow): CachedLink {
  const desktopUrl = servedDestination(row[5]);
  const iosFallbackUrl = servedDestination(row[8]);
  const androidFallbackUrl = servedDestination(row[9]);
  const expiredUrl = servedUrl(row[26]);
  const lock = lockOf(row[28], row[29], row[30]);
  const urls = destinationsOf({ desktopUrl, iosFallbackUrl, androidFallbackUrl, expiredUrl });
  const params = servedParams(row[14]);
  const template = row[32];
  const link: CachedLink = {
    id: row[2],
    shortLinkId: row[3],
    shortLinkSource: row[4],
    quarterSerial: 0,
    numberInQuarter: 0,
    version: nextVersion(),
    customPath: row[19] as LinkPath,
    externalId: row[20],
    appData: row[21],
    desktopUrl,
    iosAppId: row[6],
    androidAppId: row[7],
    iosFallbackUrl,
    androidFallbackUrl,
    iosDeferredDeepLink: row[10],
    socialTitle: row[11],
    socialDescription: row[12],
    socialImageUrl: servedUrl(row[13]),
    referrerParams: template === null ? params : mergedParams(servedParams(template.referrerParams), params),
    conversions: row[22],
    title: row[15],
    disabled: row[16],
    queryForwarding: row[17],
    forwardedParams: row[18].length === 0 ? noParams : row[18],
    activeFrom: row[24]?.getTime() ?? null,
    activeUntil: row[25]?.getTime() ?? null,
    expiredUrl,
    lock,
    templateId: row[31],
    rules: null,
    variants: null,
    variant: null,
    isSplit: false,
    web: lock && lockedWeb,
    hostsOfSamePath: hostsOfSamePath(row[1], urls),
    hasOtherSchemes: hasOtherSchemes(urls),
  };
  const compiled = compileLink(link, { rules: row[23], variants: row[27] }, row[1], template);
  if (compiled === link) return link;
  const { rules, variants } = compiled;
  const isSplit = variants !== null || (rules ?? []).some((rule) => rule.link.variants !== null);
  return { ...withVersions(compiled), isSplit, rules: rules?.map(withOwnVersions) ?? null };
}

/** Returns the link and its variants with versions, because pages differ by rule and variant. */
const withVersions = (link: CachedLink): CachedLink => ({
  ...link,
  version: nextVersion(),
  variants: link.variants?.map(withOwnVersions) ?? null,
});

const withOwnVersions = <T extends { link: CachedLink }>(part: T): T => ({ ...part, link: withVersions(part.link) });
