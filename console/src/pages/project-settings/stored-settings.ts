import type { Project } from 'signpost-client';
import { changedFields } from '../../components/changed-fields';
import { webAddress } from '../../components/web-address';

/** The fields of the form. An empty text means that the value is absent. */
export interface Settings extends Pick<
  Project,
  | 'name'
  | 'subdomain'
  | 'destination_hosts'
  | 'long_link_destinations'
  | 'query_forwarding'
  | 'forwarded_params'
  | 'allowed_schemes'
  | 'release_guard'
  | 'conversions'
  | 'click_id_param'
  | 'conversion_window_days'
> {
  root_url: string;
  not_found_url: string;
  /** In digits. */
  retire_releases_after_days: string;
  retire_releases_below_percent: string;
  expired_url: string;
}

/** Returns the changes that the form sends, where null clears a field. */
export const bodyOf = (settings: Settings) => ({
  ...settings,
  root_url: webAddress(settings.root_url) || null,
  not_found_url: webAddress(settings.not_found_url) || null,
  retire_releases_after_days: numberOf(settings.retire_releases_after_days),
  retire_releases_below_percent: numberOf(settings.retire_releases_below_percent),
  expired_url: webAddress(settings.expired_url) || null,
  allowed_schemes: [...new Set(settings.allowed_schemes.map(schemeOf))],
});

const numberOf = (digits: string): number | null => (digits === '' ? null : Number(digits));

/** Returns whether the service stores the settings that were sent like the current ones. */
export const isSameSettings = (sent: Settings, current: Settings): boolean =>
  changedFields(storedSettings(current), storedSettings(sent)).length === 0;

const storedSettings = (settings: Settings) => ({
  ...bodyOf(settings),
  forwarded_params: [...new Set(settings.forwarded_params)],
  destination_hosts: [...new Set(settings.destination_hosts.map(storedHost))],
  long_link_destinations: [...new Set(settings.long_link_destinations.map(storedHost))],
});

/** Completes what people type or paste: `Mailto:`, or `shop://`. */
const schemeOf = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replace(/:[/]*$/, '');

/** Returns a host as the service stores it: in lower case, with A-labels, without a final dot. Its port stays as it is. */
function storedHost(host: string): string {
  const [, wildcard = '', name = '', port = ''] = /^(\*\.)?([^:]*)(.*)$/s.exec(host) ?? [];
  try {
    return wildcard + new URL(`https://${name}`).hostname.replace(/\.$/, '') + port;
  } catch {
    return host;
  }
}
