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
  external_id: 'link.externalId',
  title: 'link.title',
  notes: 'link.notes',
  tags: 'link.tags',
  archived: 'link.archived',
  disabled: 'link.disabled',
};

/** Names the fields of a link that somebody else changed since the form was loaded. */
export function LinkConflict({
  fields,
  ...actions
}: {
  fields: (keyof LinkValues)[];
  onOverwrite: () => void;
  onTakeTheirs: () => void;
}) {
  const { t } = useI18n();
  return <VersionConflict fields={fields.map((field) => t(labels[field]))} {...actions} />;
}
