import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DynamicLinkListItem } from 'signpost-client';
import {
  IconArchive,
  IconCopy,
  IconDotsVertical,
  IconExternalLink,
  IconQrcode,
  IconTrash,
} from '../../components/icons';
import { useRefusals } from '../../session/use-refusal';
import { useI18n } from '../../i18n/i18n';

export type RowAction = 'archive' | 'unarchive' | 'delete';

/** Offers what can be done with one link of the list. */
export function RowMenu({ link, onAction }: { link: DynamicLinkListItem; onAction: (action: RowAction) => void }) {
  const { t } = useI18n();
  const refusals = useRefusals();
  const { project_id: projectId, id: linkId } = link;
  const state = link.archived ? 'unarchive' : 'archive';
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('links.actionsOf', { name: link.name })}>
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={link.full_url}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {t('link.open')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconQrcode size={16} aria-hidden />}
          renderRoot={(root: object) => (
            <Link
              {...root}
              to="/projects/$projectId/links/$linkId"
              params={{ projectId, linkId }}
              search={{ tab: 'qr' }}
            />
          )}
        >
          {t('link.tab.qr')}
        </Menu.Item>
        {refusals('createDynamicLink') === null && (
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            renderRoot={(root: object) => (
              <Link {...root} to="/projects/$projectId/links/new" params={{ projectId }} search={{ copy: linkId }} />
            )}
          >
            {t('link.duplicate')}
          </Menu.Item>
        )}
        {refusals('changeDynamicLinks') === null && (
          <>
            <Menu.Item leftSection={<IconArchive size={16} aria-hidden />} onClick={() => onAction(state)}>
              {t(`bulk.${state}`)}
            </Menu.Item>
            <Menu.Item
              color="error"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => onAction('delete')}
            >
              {t('links.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
