import { Alert, Anchor, Button, Code, Divider, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Brand } from '../../app/brand';
import { settings } from '../../app/settings';
import { useI18n } from '../../i18n/i18n';
import { isApiKey } from '../../session/api-key';
import { session, type SignInFailure } from '../../session/session';

const failures = {
  provider: 'signIn.failed',
  'invalid-link': 'signIn.invalidLink',
  'still-at-provider': 'signIn.stillAtProvider',
} as const;

/** Asks for a sign-in at the identity provider, or for an API key. */
export function SignInPage({ expired, failure }: { expired: boolean; failure?: SignInFailure | undefined }) {
  const { t } = useI18n();
  return (
    <main className="sign-in">
      <Paper className="card" p="xl" w="100%" maw={440} shadow="sm">
        <Stack gap="lg">
          <Brand />
          <div>
            <Title order={1}>{t('signIn.title')}</Title>
            <Text c="dimmed" mt={4}>
              {t('signIn.lead')}
            </Text>
          </div>
          {expired && <Alert color="yellow" title={t('signIn.expired')} />}
          {failure !== undefined && (
            <Alert color="red" role="alert" title={t(failures[failure.kind])}>
              {failure.kind === 'provider' && failure.message}
            </Alert>
          )}
          {settings.provider && (
            <>
              <Button size="md" onClick={() => void session.signInAtProvider()}>
                {t('signIn.withProvider')}
              </Button>
              <Divider label={t('signIn.or')} />
            </>
          )}
          <KeyForm />
          <Anchor href="/api/docs" size="sm">
            {t('nav.apiReference')}
          </Anchor>
        </Stack>
      </Paper>
    </main>
  );
}

function KeyForm() {
  const { t } = useI18n();
  const [key, setKey] = useState('');
  const [isRefused, setRefused] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isApiKey(key.trim())) session.signInWithKey(key.trim());
    else setRefused(true);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <PasswordInput
          label={t('signIn.key')}
          description={t('signIn.keyHint')}
          placeholder="svc_live_…"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={isRefused && t('signIn.keyForm')}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showKey') }}
          autoFocus
        />
        <Button type="submit" variant={settings.provider ? 'default' : 'filled'}>
          {t('signIn.withKey')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('signIn.noKey')} <Code>npm run --silent admin -- account create --name Me --plan pro</Code>
        </Text>
      </Stack>
    </form>
  );
}
