import { useQuery } from '@tanstack/react-query';
import { androidAppsQuery, iosAppsQuery } from '../../api/queries';
import { forwardingLabels } from '../../components/forwarding-fields';
import type { Conflict } from '../../components/use-versioned-form';
import { VersionConflict } from '../../components/version-conflict';
import { useI18n } from '../../i18n/i18n';
import { textsOfField } from '../../i18n/field-texts';
import { rowText } from '../../rules/row-texts';
import type { LinkValues } from './link-values';

/** Shows the fields of a link that somebody else changed since the form was loaded. */
export function LinkConflict({ projectId, conflict }: { projectId: string; conflict: Conflict<LinkValues> }) {
  const { t } = useI18n();
  const ios = useQuery(iosAppsQuery(projectId)).data?.data ?? [];
  const android = useQuery(androidAppsQuery(projectId)).data?.data ?? [];
  const textOf = (field: keyof LinkValues, value: LinkValues[keyof LinkValues]): string | undefined => {
    if (field === 'ios_app_id' || field === 'android_app_id')
      return [...ios, ...android].find(({ id }) => id === value)?.name;
    if (field === 'query_forwarding') return t(forwardingLabels[conflict.theirs.query_forwarding]);
    if (field === 'password') return t(value === null ? 'link.password.none' : 'link.password.set');
    return rowText(field, value);
  };
  return <VersionConflict {...conflict} labelOf={(field) => t(textsOfField(field)!.label)} textOf={textOf} />;
}
