import { Button, Code, Divider, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { settings } from '../../app/settings';
import { ActionButton } from '../../components/action-button';
import { useI18n } from '../../i18n/i18n';
import { isApiKey } from '../../session/api-key';
import { session } from '../../session/session';

interface Props {
  isPending?: boolean;
  onKey: (key: string) => void;
}

/** Offers a sign-in at the identity provider, if there is one, and by an API key. */
export function SignInForms(props: Props) {
  const { t } = useI18n();
  return (
    <>
      {settings.provider && (
        <>
          <Button size="md" onClick={() => void session.signInAtProvider()}>
            {t('signIn.withProvider')}
          </Button>
          <Divider label={t('signIn.or')} />
        </>
      )}
      <KeyForm {...props} />
    </>
  );
}

function KeyForm({ isPending, onKey }: Props) {
  const { t } = useI18n();
  const [key, setKey] = useState('');
  const [isRefused, setRefused] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isApiKey(key.trim())) onKey(key.trim());
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
        <ActionButton type="submit" loading={isPending} variant={settings.provider ? 'default' : 'filled'}>
          {t('signIn.withKey')}
        </ActionButton>
        <Text size="sm" c="dimmed">
          {t('signIn.noKey')} <Code>npm run --silent admin -- account create --name Me --plan pro</Code>
        </Text>
      </Stack>
    </form>
  );
}
