import { Alert, Button, Stack } from '@mantine/core';
import { IconHourglass } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import { session } from './session';
import { useSession } from './use-session';

/** Warns that the sign-in ends soon, so that nobody loses changes. */
export function SessionEnd() {
  const { t, time } = useI18n();
  const state = useSession();
  if (state.kind !== 'person' || state.endsAt === null) return null;
  return (
    <Alert
      role="alert"
      color="yellow"
      mb="md"
      icon={<IconHourglass size={18} aria-hidden />}
      title={t('session.endsTitle', { time: time(state.endsAt) })}
    >
      <Stack align="flex-start" gap="sm">
        {t('session.endsText')}
        <Button size="xs" variant="default" onClick={() => void session.signInAtProvider()}>
          {t('session.again')}
        </Button>
      </Stack>
    </Alert>
  );
}
