import { asObject } from '../../shared/referrer-params';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { Answer } from './answer';
import { appsOf, decideAnswer } from './destination';
import { lifeAt } from '../visited-link/life';
import { matchingRule } from '../visited-link/ruled-link';
import type { RuleFacts } from '../visited-link/rules';
import { appStoreUrl, playStorePage, playStoreUrl } from './store-urls';
import { withParameter } from '../visited-link/query-merge';
import type { VisitedLink, VisitedProject, VisitedVariant } from '../visited-link/visited-link';
import { visitorOf } from '../visitor/visitor';
import { forwardedQuery } from '../visited-link/visitor-query';

type Redirect = Extract<Answer, { kind: 'redirect' }>;

/** A computer, because the destination is for the app's web view, or for its fallback. */
const desktop = visitorOf({ userAgent: undefined, clientHint: undefined });

/**
 * Returns what an app gets that sends a URL of the link; null if the link is disabled, locked, has not begun or has ended. Its
 * destination is that of a desktop visitor, null if the link has none for computers, unless a rule of the link has another one.
 * @param facts the values that rules compare; its query is that of the URL without the reserved parameters
 * @param choose returns the variant of the app's user
 * @param clickId by which conversions count for the link; null if they do not
 */
export function openAnswer(
  hosts: LinkHosts,
  project: VisitedProject,
  link: VisitedLink,
  facts: RuleFacts,
  clickId: string | null,
  choose: (variants: readonly VisitedVariant[]) => VisitedVariant,
) {
  if (link.disabled || link.lock !== null || lifeAt(link, facts.at) !== 'active') return null;
  const rule = link.rules && matchingRule(link.rules, facts);
  const toStore = rule?.opens === 'store';
  const decided = rule?.link ?? link;
  const variant = decided.variants === null || toStore ? null : choose(decided.variants);
  return {
    path: link.customPath,
    full_url: hosts.urlOf(project, link.customPath),
    external_id: link.externalId,
    destination: destinationOf(project, variant?.link ?? decided, toStore, facts, clickId),
    variant: variant?.name ?? null,
    referrer_params: link.referrerParams.length > 0 ? asObject(link.referrerParams) : null,
    params: paramsOf(facts.query),
    app_data: link.appData === null ? null : (JSON.parse(link.appData) as object),
    click_id: clickId,
  };
}

function destinationOf(
  project: VisitedProject,
  link: VisitedLink,
  toStore: boolean,
  facts: RuleFacts,
  clickId: string | null,
): string | null {
  const query = forwardedQuery(project, link, facts.query);
  const store = toStore ? storeUrlOf(project, link, facts, query) : null;
  if (store !== null) return store;
  const answer = decideAnswer(project, link, desktop, query, false);
  if (answer.kind === 'other-scheme') return answer.destination;
  return answer.kind === 'redirect' ? locationOf(answer, clickId) : null;
}

/** Returns the page of the link's app in the store of the asking app's platform; null without one. */
function storeUrlOf(project: VisitedProject, link: VisitedLink, { system }: RuleFacts, query: string): string | null {
  const { iosApp, androidApp } = appsOf(project, link);
  if (system.platform === 'android')
    return androidApp ? playStoreUrl(playStorePage(androidApp.packageName), link.referrerParams, query, null) : null;
  return iosApp?.appstoreId ? appStoreUrl(iosApp.appstoreId, link.referrerParams, query) : null;
}

const locationOf = ({ location, clickIdParam }: Redirect, clickId: string | null): string =>
  clickIdParam === undefined || clickId === null ? location : withParameter(location, clickIdParam, clickId);

/** Returns the values of parameters by name: a text, or an array of texts if the name repeats. */
function paramsOf(query: string): Record<string, string | string[]> {
  const params = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const former = params.get(name);
    if (Array.isArray(former)) former.push(value);
    else params.set(name, former === undefined ? value : [former, value]);
  }
  return Object.fromEntries(params);
}
