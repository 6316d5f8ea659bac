import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconDotsVertical, IconLogout, IconMoon, IconSun } from '../components/icons';
import { mayLeavePage } from '../components/use-leave-question';
import { languages } from '../i18n/language';
import { useI18n } from '../i18n/i18n';
import { session } from '../session/session';
import { useSession } from '../session/use-session';

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const;

const check = <IconCheck size={16} aria-hidden />;

/** Offers colours, language and sign-out. */
export default function PreferencesMenu() {
  const { t, language, setLanguage } = useI18n();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const state = useSession();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('preferences.open')}>
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{state.kind === 'person' ? state.name : t('preferences.signedInWithKey')}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('preferences.colours')}</Menu.Label>
        {schemes.map(([scheme, Icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={colorScheme === scheme && check}
            aria-current={colorScheme === scheme}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`preferences.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('preferences.language')}</Menu.Label>
        {languages.map((code) => (
          <Menu.Item
            key={code}
            lang={code}
            rightSection={language === code && check}
            aria-current={language === code}
            onClick={() => setLanguage(code)}
          >
            {{ en: 'English', de: 'Deutsch' }[code]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => mayLeavePage() && void session.signOut()}
        >
          {t('preferences.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
