import { Badge, Checkbox, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DynamicLinkListItem } from 'signpost-client';
import { CopyButton } from '../../components/copy-button';
import { webHost } from '../../components/web-address';
import { useI18n } from '../../i18n/i18n';
import type { LinksSearch } from './links-search';
import { type RowAction, RowMenu } from './row-menu';

export interface RowActions {
  onAction: (link: DynamicLinkListItem, action: RowAction) => void;
  /** Narrows the list to what a part of a row names. */
  onFilter: (filter: Pick<LinksSearch, 'search' | 'tag'>) => void;
}

/** Hosts that a row names, because a link can have three. */
const maxHosts = 2;

/** Shows one link of the list. The names of the cells are visible on cards only. */
export function LinkRow({
  link,
  isSelected,
  onToggle,
  actions,
}: {
  link: DynamicLinkListItem;
  isSelected: boolean;
  onToggle: () => void;
  actions: RowActions;
}) {
  const { t, date, number } = useI18n();
  const url = new URL(link.full_url);
  return (
    <Table.Tr bg={isSelected ? 'var(--mantine-primary-color-light)' : undefined}>
      <Table.Td>
        <Checkbox aria-label={t('links.select', { name: link.name })} checked={isSelected} onChange={onToggle} />
      </Table.Td>
      <Table.Td maw={280}>
        <Link
          className="row-link"
          to="/projects/$projectId/links/$linkId"
          params={{ projectId: link.project_id, linkId: link.id }}
        >
          {link.name}
        </Link>
        <Marks link={link} />
      </Table.Td>
      <Table.Td maw={240}>
        <Group gap={2} wrap="nowrap">
          <Text className="mono" size="sm" title={link.full_url} lineClamp={2}>
            {url.pathname}
          </Text>
          <CopyButton value={link.full_url} name={link.full_url} />
        </Group>
      </Table.Td>
      <Table.Td>
        <Destinations link={link} onFilter={actions.onFilter} />
      </Table.Td>
      <Table.Td>
        {link.tags.length > 0 && (
          <Group gap={4}>
            {link.tags.map((name) => (
              <UnstyledButton
                key={name}
                aria-label={t('links.withTag', { name })}
                onClick={() => actions.onFilter({ tag: name })}
              >
                <Badge variant="light" tt="none" fw={500} style={{ cursor: 'pointer' }}>
                  {name}
                </Badge>
              </UnstyledButton>
            ))}
          </Group>
        )}
      </Table.Td>
      <Table.Td data-label={t('links.clicks')} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {number(link.clicks ?? 0)}
      </Table.Td>
      <Table.Td className="wide-cell">
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {date(link.created_at)}
        </Text>
      </Table.Td>
      <Table.Td>
        <RowMenu link={link} onAction={(action) => actions.onAction(link, action)} />
      </Table.Td>
    </Table.Tr>
  );
}

function Marks({ link }: { link: DynamicLinkListItem }) {
  const { t } = useI18n();
  if (!link.archived && !link.disabled) return null;
  return (
    <Group gap={4}>
      {link.archived && (
        <Badge color="gray" variant="light" tt="none">
          {t('links.archived')}
        </Badge>
      )}
      {link.disabled && (
        <Badge color="red" variant="light" tt="none">
          {t('links.disabled')}
        </Badge>
      )}
    </Group>
  );
}

/** Returns the hosts of the web pages to which the link leads. */
function hostsOf({ desktop_url, ios_fallback_url, android_fallback_url }: DynamicLinkListItem): string[] {
  const hosts = [desktop_url, ios_fallback_url, android_fallback_url].map((url) => url && webHost(url));
  return [...new Set(hosts.filter((host) => typeof host === 'string'))].slice(0, maxHosts);
}

function Destinations({ link, onFilter }: { link: DynamicLinkListItem; onFilter: RowActions['onFilter'] }) {
  const { t } = useI18n();
  const places = [
    [link.ios_app_id !== null || link.ios_fallback_url !== null, 'iOS'],
    [link.android_app_id !== null || link.android_fallback_url !== null, 'Android'],
    [link.desktop_url !== null, t('links.web')],
  ] as const;
  const set = places.filter(([isSet]) => isSet);
  if (set.length === 0)
    return (
      <Badge color="yellow" variant="light" tt="none">
        {t('links.noDestination')}
      </Badge>
    );
  return (
    <Group gap={4}>
      {hostsOf(link).map((host) => (
        <UnstyledButton
          key={host}
          className="row-filter"
          aria-label={t('links.toHost', { host })}
          // Paths have no double slash, so this finds destinations only.
          onClick={() => onFilter({ search: `//${host}` })}
        >
          {host}
        </UnstyledButton>
      ))}
      {set.map(([, name]) => (
        <Badge key={name} variant="default" tt="none" fw={500}>
          {name}
        </Badge>
      ))}
    </Group>
  );
}
