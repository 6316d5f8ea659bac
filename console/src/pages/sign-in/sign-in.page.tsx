import { Alert, Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Brand } from '../../app/brand';
import { useI18n } from '../../i18n/i18n';
import { session, type SignedOut } from '../../session/session';
import { SignInForms } from './sign-in-forms';

const failures = {
  provider: 'signIn.failed',
  'invalid-link': 'signIn.invalidLink',
  'still-at-provider': 'signIn.stillAtProvider',
  'refused-key': 'signIn.refusedKey',
} as const;

/** Asks for a sign-in at the identity provider, or for an API key. */
export default function SignInPage({ expired, failure }: Pick<SignedOut, 'expired' | 'failure'>) {
  const { t } = useI18n();
  useDocumentTitle(`${t('signIn.title')} – Signpost`);
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
          <SignInForms onKey={(key) => session.signInWithKey(key)} />
          <Anchor href="/api/docs" size="sm">
            {t('nav.apiReference')}
          </Anchor>
        </Stack>
      </Paper>
    </main>
  );
}
