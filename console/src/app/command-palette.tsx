import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { linksQuery, projectsQuery } from '../api/queries';
import { IconChartAreaLine, IconLink, IconPlus, IconSearch, IconSpeakerphone } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import { useRefusals } from '../session/use-refusal';
import { hostIn } from './host-in';
import { paletteStore } from './palette';
import { projectPages } from './project-pages';

const searchDelayMs = 200;

/** Selects the first action if none is selected. The library does so after a letter, and not when results arrive. */
function selectFirst(): void {
  const actions = document.querySelectorAll('[data-action]');
  if (actions.length === 0 || [...actions].some((action) => action.hasAttribute('data-selected'))) return;
  actions[0]!.setAttribute('data-selected', 'true');
  paletteStore.updateState((state) => ({ ...state, selected: 0 }));
}

/** Jumps to pages, projects and links by keyboard. It loads data only while it is in use. The shell opens it. */
export default function CommandPalette() {
  const { t } = useI18n();
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const refusals = useRefusals();
  const [query, setQuery] = useState('');
  const [search] = useDebouncedValue(query.trim(), searchDelayMs);
  const projects = useQuery({ ...projectsQuery(search), enabled: search !== '' });
  const links = useQuery({
    ...linksQuery(projectId ?? '', { search, limit: 5 }),
    enabled: search !== '' && projectId !== undefined,
  });

  // After each render, because results of two requests arrive.
  useEffect(() => {
    if (query.trim() !== '') selectFirst();
  });

  const pages: SpotlightActionData[] = [
    { id: 'projects', label: t('nav.projects'), onClick: () => void navigate({ to: '/' }) },
    { id: 'api-keys', label: t('nav.apiKeys'), onClick: () => void navigate({ to: '/api-keys' }) },
    ...(refusals('listWebhooks') === null
      ? [{ id: 'webhooks', label: t('nav.webhooks'), onClick: () => void navigate({ to: '/webhooks' }) }]
      : []),
    ...(refusals('listMembers') === null
      ? [{ id: 'members', label: t('nav.members'), onClick: () => void navigate({ to: '/members' }) }]
      : []),
    ...(refusals('listAuditLogEntries') === null
      ? [{ id: 'audit-log', label: t('nav.auditLog'), onClick: () => void navigate({ to: '/audit-log' }) }]
      : []),
    { id: 'account', label: t('nav.account'), onClick: () => void navigate({ to: '/account' }) },
  ];
  const ofProject: SpotlightActionData[] = [];
  if (projectId !== undefined) {
    const params = { projectId };
    if (refusals('createDynamicLink') === null)
      ofProject.push({
        id: 'new-link',
        label: t('links.new'),
        leftSection: <IconPlus size={18} aria-hidden />,
        onClick: () => void navigate({ to: '/projects/$projectId/links/new', params }),
      });
    if (refusals('changeDynamicLinks') === null)
      ofProject.push({
        id: 'campaign',
        label: t('campaign.title'),
        leftSection: <IconSpeakerphone size={18} aria-hidden />,
        onClick: () => void navigate({ to: '/projects/$projectId/campaign', params }),
      });
    for (const [to, label, Icon] of projectPages)
      ofProject.push({
        id: to,
        label: t(label),
        leftSection: <Icon size={18} aria-hidden />,
        onClick: () => void navigate({ to, params }),
      });
  }
  const host = hostIn(search);
  const allLinks: SpotlightActionData[] =
    projectId === undefined || search === ''
      ? []
      : [
          {
            id: 'all-links',
            label: host === null ? t('palette.allLinks', { search }) : t('palette.linksTo', { host }),
            leftSection: <IconLink size={18} aria-hidden />,
            onClick: () =>
              void navigate({
                to: '/projects/$projectId/links',
                params: { projectId },
                search: { search: host === null ? search : `//${host}` },
              }),
          },
        ];
  const actions: SpotlightActionData[] =
    search === ''
      ? []
      : [
          // Somebody who types a host looks for all links that lead there.
          ...(host === null ? [] : allLinks),
          ...(projectId === undefined ? [] : (links.data?.data ?? [])).map((link) => ({
            id: link.id,
            label: link.name,
            description: link.full_url,
            leftSection: <IconLink size={18} aria-hidden />,
            onClick: () =>
              void navigate({
                to: '/projects/$projectId/links/$linkId',
                params: { projectId: link.project_id, linkId: link.id },
              }),
          })),
          // After the links, because the first action that appears is selected.
          ...(host === null && links.data ? allLinks : []),
          ...(projects.data?.data ?? []).slice(0, 5).map((project) => ({
            id: project.id,
            label: project.name,
            description: project.subdomain,
            leftSection: <IconChartAreaLine size={18} aria-hidden />,
            onClick: () => void navigate({ to: '/projects/$projectId', params: { projectId: project.id } }),
          })),
        ];
  const groups: SpotlightActionGroupData[] = [
    { group: t('palette.found'), actions },
    { group: t('palette.inProject'), actions: ofProject },
    { group: t('palette.pages'), actions: pages },
  ].filter(({ actions }) => actions.length > 0);

  return (
    <Spotlight
      store={paletteStore}
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      nothingFound={t('palette.nothing')}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
        // The library focuses the field in a later task. Letters that are typed before would be lost.
        autoFocus: true,
      }}
    />
  );
}
