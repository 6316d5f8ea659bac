import type { Project } from 'signpost-client';
import { changedFields } from '../../components/changed-fields';

type Settings = Pick<Project, 'name' | 'subdomain' | 'long_link_destinations'>;

/** Returns whether the service stores the settings that were sent like the current ones. */
export const isSameSettings = (sent: Settings, current: Settings): boolean =>
  changedFields(storedSettings(current), storedSettings(sent)).length === 0;

const storedSettings = (settings: Settings): Settings => ({
  ...settings,
  long_link_destinations: [...new Set(settings.long_link_destinations.map(storedHost))],
});

/** Returns a host as the service stores it: in lower case, with A-labels, without a final dot. Its port stays as it is. */
function storedHost(host: string): string {
  const [, wildcard = '', name = '', port = ''] = /^(\*\.)?([^:]*)(.*)$/s.exec(host) ?? [];
  try {
    return wildcard + new URL(`https://${name}`).hostname.replace(/\.$/, '') + port;
  } catch {
    return host;
  }
}
