import { useQuery } from '@tanstack/react-query';
import { androidAppsQuery, iosAppsQuery } from '../../api/queries';
import { forwardingLabels } from '../../components/forwarding-fields';
import type { Conflict } from '../../components/use-versioned-form';
import { VersionConflict } from '../../components/version-conflict';
import { useI18n } from '../../i18n/i18n';
import type { MessageKey } from '../../i18n/text';
import type { LinkValues } from './link-values';

const labels: Record<keyof LinkValues, MessageKey> = {
  name: 'link.name',
  custom_path: 'link.path',
  desktop_url: 'link.web',
  ios_app_id: 'link.iosApp',
  android_app_id: 'link.androidApp',
  ios_fallback_url: 'link.iosFallback',
  android_fallback_url: 'link.androidFallback',
  ios_deferred_deep_link: 'link.deferred',
  social_title: 'link.socialTitle',
  social_description: 'link.socialDescription',
  social_image_url: 'link.socialImage',
  referrer_params: 'link.parameters',
  query_forwarding: 'forwarding.title',
  forwarded_params: 'forwarding.names',
  external_id: 'link.externalId',
  title: 'link.title',
  notes: 'link.notes',
  tags: 'link.tags',
  archived: 'link.archived',
  disabled: 'link.disabled',
};

/** Shows the fields of a link that somebody else changed since the form was loaded. */
export function LinkConflict({ projectId, conflict }: { projectId: string; conflict: Conflict<LinkValues> }) {
  const { t } = useI18n();
  const ios = useQuery(iosAppsQuery(projectId)).data?.data ?? [];
  const android = useQuery(androidAppsQuery(projectId)).data?.data ?? [];
  const textOf = (field: keyof LinkValues, value: LinkValues[keyof LinkValues]): string | undefined => {
    if (field === 'ios_app_id' || field === 'android_app_id')
      return [...ios, ...android].find(({ id }) => id === value)?.name;
    if (field === 'query_forwarding') return t(forwardingLabels[conflict.theirs.query_forwarding]);
    if (field !== 'referrer_params') return undefined;
    return conflict.theirs.referrer_params.map(({ key, value: text }) => `${key}=${text}`).join(', ');
  };
  return <VersionConflict {...conflict} labelOf={(field) => t(labels[field])} textOf={textOf} />;
}
