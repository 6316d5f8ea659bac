import { type DestinationUrl, servableUrl } from '../../shared/destination-url';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import { linkFields } from '../../links/dynamic-links/link-fields';
import { allowsDestination } from '../../shared/destination-host';
import type { LongLinkFinding } from '../visitor/decision-trace';
import { parameterNameOf, percentEncodeNonAscii } from './query-merge';
import type { VisitedLink, VisitedProject } from './visited-link';

/** The link of clicks on long links, which are not stored (docs/decisions/0009-deferred-links.md). */
export const longLinksId = '00000000-0000-0000-0000-000000000000';

/** The path of long links, `https://host/?link=…`. */
export const longLinkPath = '';

/** The parameters that Firebase defined for long links, without those of campaigns. */
const parameters: ReadonlySet<string> = new Set(
  'link apn afl amv ibi ifl ius ipfl ipbi isi imv efr ofl st sd si d'.split(' '),
);

export interface LongLink {
  link: VisitedLink;
  /** The parameters of the long link, as sent. Its URLs keep them. */
  longQuery: string;
  /** The visitor's other parameters, such as `utm_source`, as sent. */
  visitorQuery: string;
}

/**
 * Reads a long link of Firebase. All of its destinations must be hosts that the project allows.
 * @param query the query of a visit of `/`, without the reserved parameters, as sent
 * @returns the finding if it is not a long link that the project serves
 */
export function readLongLink(project: VisitedProject, query: string): LongLink | Exclude<LongLinkFinding, 'accepted'> {
  const { longLinkDestinations: hosts } = project;
  if (hosts.length === 0) return 'off';
  const pairs = percentEncodeNonAscii(query).split('&').filter(Boolean);
  const own = pairs.filter((pair) => parameters.has(parameterNameOf(pair)));
  const input = new URLSearchParams(own.join('&'));
  // Two readers of a repeated parameter could take different values.
  if (new Set(input.keys()).size < [...input.keys()].length) return 'repeated_parameter';
  const valueOf = (name: string): string | null => input.get(name) || null;
  if (valueOf('link') === null) return 'no_link';

  const destinations = new Map<string, DestinationUrl | null>();
  for (const name of ['link', 'ofl', 'ifl', 'afl']) {
    const value = valueOf(name);
    const url = value === null ? null : servableUrl.tryParse(value);
    if (value !== null && url === null) return 'invalid_destination';
    if (url !== null && !allowsDestination(hosts, new URL(url))) return 'destination_not_allowed';
    destinations.set(name, url);
  }
  const picture = servableUrl.tryParse(valueOf('si'));
  const link: VisitedLink = {
    id: longLinksId,
    shortLinkId: null,
    shortLinkSource: null,
    customPath: longLinkPath as LinkPath,
    externalId: null,
    appData: null,
    desktopUrl: destinations.get('ofl') ?? destinations.get('link')!,
    iosAppId: idOf(project.iosApps, ({ bundleId }) => bundleId === valueOf('ibi')),
    androidAppId: idOf(project.androidApps, ({ packageName }) => packageName === valueOf('apn')),
    iosFallbackUrl: destinations.get('ifl') ?? null,
    androidFallbackUrl: destinations.get('afl') ?? null,
    iosDeferredDeepLink: false,
    socialTitle: linkFields.social_title.rule.tryParse(valueOf('st')),
    socialDescription: linkFields.social_description.rule.tryParse(valueOf('sd')),
    socialImageUrl: picture !== null && allowsDestination(hosts, new URL(picture)) ? picture : null,
    referrerParams: [],
    queryForwarding: null,
    forwardedParams: [],
    conversions: false,
    title: null,
    disabled: false,
    activeFrom: null,
    activeUntil: null,
    expiredUrl: null,
    lock: null,
    rules: null,
    variants: null,
    variant: null,
    web: null,
    // The query makes the destination, so that a long link of the same host leads on.
    hostsOfSamePath: null,
    hasOtherSchemes: false,
  };
  // Firebase meant `ofl` for other devices than phones. A phone that goes to no store opens the deep link.
  if (destinations.get('ofl')) {
    const iosApp = link.iosAppId === null ? undefined : project.iosApps.get(link.iosAppId);
    if (!iosApp?.appstoreId) link.iosFallbackUrl ??= destinations.get('link')!;
    if (link.androidAppId === null) link.androidFallbackUrl ??= destinations.get('link')!;
  }
  const others = pairs.filter((pair) => !parameters.has(parameterNameOf(pair)));
  return { link, longQuery: own.join('&'), visitorQuery: others.join('&') };
}

const idOf = <App>(apps: ReadonlyMap<string, App>, isIt: (app: App) => boolean): string | null =>
  [...apps].find(([, app]) => isIt(app))?.[0] ?? null;
