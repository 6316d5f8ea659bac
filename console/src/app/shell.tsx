import { ActionIcon, AppShell, Burger, Button, Group, Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { ConnectionBanner } from '../components/connection-banner';
import { IconDotsVertical, IconHelp, IconSearch } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import { SessionEnd } from '../session/session-end';
import { Brand } from './brand';
import { keepFocus } from './focus-keeper';
import { Navigation } from './navigation';
import { palette } from './palette';

const HelpMenu = lazy(() => import('./help-menu'));
const PreferencesMenu = lazy(() => import('./preferences-menu'));
const CommandPalette = lazy(() => import('./command-palette'));

/** Frames every page: header, navigation, command palette, and notices about the connection. */
export function Shell() {
  const { t } = useI18n();
  const [opened, { toggle, close }] = useDisclosure();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  useEffect(close, [pathname, close]);
  useEffect(keepFocus, []);
  // Here and not in the palette, which may still be loading. The library ignores shortcuts in fields by default.
  useHotkeys([['mod+K', palette.open]], []);
  const content = useRef<HTMLElement>(null);
  // The page on the screen, because the next one can still be loading.
  const loadedPath = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const focusedPath = useRef(loadedPath);
  useEffect(() => {
    // The focused link or button is often removed with its page. A change of filters or tabs keeps it, and so does the first page.
    const isOther = focusedPath.current !== undefined && focusedPath.current !== loadedPath;
    // A page may focus its first field.
    const hasFocus = content.current?.contains(document.activeElement) ?? false;
    if (isOther && !hasFocus) content.current?.focus({ preventScroll: true });
    focusedPath.current = loadedPath;
  }, [loadedPath]);
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 240, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding="lg"
    >
      <a
        className="skip-link"
        href="#content"
        onClick={(event) => {
          // The router takes another hash for another page.
          event.preventDefault();
          content.current?.focus();
        }}
      >
        {t('shell.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={t('shell.menu')}
              aria-expanded={opened}
              aria-controls="navigation"
            />
            <UnstyledButton component={Link} to="/" aria-label={t('shell.home')}>
              <Brand />
            </UnstyledButton>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Button
              className="palette-button"
              variant="default"
              onClick={palette.open}
              leftSection={<IconSearch size={16} aria-hidden />}
              rightSection={<Kbd visibleFrom="sm">{t('shell.shortcut')}</Kbd>}
              aria-keyshortcuts="Control+K Meta+K"
            >
              <span className="wide-only">{t('palette.open')}</span>
            </Button>
            <Suspense
              fallback={[IconHelp, IconDotsVertical].map((Icon, at) => (
                <ActionIcon key={at} variant="default" size={36} disabled aria-label={t('loading')}>
                  <Icon size={18} aria-hidden />
                </ActionIcon>
              ))}
            >
              <HelpMenu />
              <PreferencesMenu />
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        id="navigation"
        className="navigation"
        p="sm"
        data-opened={opened}
        aria-label={t('shell.navigation')}
      >
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" ref={content} tabIndex={-1}>
        <ConnectionBanner />
        <SessionEnd />
        <Outlet />
      </AppShell.Main>
      <Suspense>
        <CommandPalette />
      </Suspense>
    </AppShell>
  );
}
