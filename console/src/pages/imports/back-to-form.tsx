import type { Import } from 'signpost-client';
import { ButtonLink } from '../../components/router-links';
import { useI18n } from '../../i18n/i18n';
import { isApiSource } from './api-sources';

/** Leads from a dry run to the form with its choices. The file is there, unless the page was loaded again meanwhile. */
export function BackToForm({ job: { id: from, project_id: projectId, source, format } }: { job: Import }) {
  const { t } = useI18n();
  return (
    <ButtonLink
      to="/projects/$projectId/imports/new"
      params={{ projectId }}
      search={{ from, ...(format === 'api' && isApiSource(source) && { api: source }) }}
      variant="default"
    >
      {t(source === 'csv' ? 'imports.backToMapping' : 'imports.backToForm')}
    </ButtonLink>
  );
}
