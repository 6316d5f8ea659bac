import { ActionIcon, Menu } from '@mantine/core';
import { Link, useMatches } from '@tanstack/react-router';
import { IconBook, IconHelp } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import { topicsOf } from './help-topics';

/** Opens the documentation that fits the page. A new tab keeps what is typed here, and is signed in like this one. */
export default function HelpMenu() {
  const { t } = useI18n();
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '/' });
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('help.open')}>
          <IconHelp size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('help.thisPage')}</Menu.Label>
        {topicsOf(route).map(({ label, page, hash }) => (
          <Menu.Item
            key={label}
            renderRoot={(root: object) => (
              <Link
                {...root}
                to="/help/$"
                params={{ _splat: page }}
                {...(hash !== undefined && { hash })}
                target="_blank"
                rel="opener"
              />
            )}
          >
            {t(label)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          renderRoot={(root: object) => (
            <Link {...root} to="/help/$" params={{ _splat: 'index' }} target="_blank" rel="opener" />
          )}
          leftSection={<IconBook size={16} aria-hidden />}
        >
          {t('help.all')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
