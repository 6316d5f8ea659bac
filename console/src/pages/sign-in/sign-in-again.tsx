import { Alert, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { ApiError } from '../../api/api-error';
import { settings } from '../../app/settings';
import { ErrorText } from '../../components/error-text';
import { useI18n } from '../../i18n/i18n';
import { isSameAccount } from '../../session/same-account';
import { session } from '../../session/session';
import { SignInForms } from './sign-in-forms';

/** Asks for a sign-in above a page with changes that are not saved. The page stays, unless another account signs in. */
export default function SignInAgain({ opened }: { opened: boolean }) {
  const { t } = useI18n();
  return (
    <Modal
      opened={opened}
      onClose={() => {}}
      title={t('signIn.title')}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      centered
      zIndex={900}
    >
      <Question />
    </Modal>
  );
}

function Question() {
  const { t } = useI18n();
  const client = useQueryClient();
  const signIn = useMutation({
    mutationFn: async (key: string) => ({ key, isSame: await isSameAccount(key, client) }),
    retry: false,
    networkMode: 'always',
    onSuccess: ({ key, isSame }) => {
      // The page is removed with its data before the other account has one.
      if (!isSame) flushSync(() => session.leavePage());
      session.signInWithKey(key);
      session.onAccepted();
      if (isSame) void client.invalidateQueries();
    },
  });
  const isRefused = signIn.error instanceof ApiError && signIn.error.status === 401;
  return (
    <Stack gap="lg">
      <Alert color="yellow" title={t('signIn.expired')}>
        <Text size="sm">{t('signIn.kept')}</Text>
        {settings.provider && <Text size="sm">{t('signIn.keptAtProvider')}</Text>}
      </Alert>
      {signIn.error && (
        <Alert color="red" role="alert">
          {isRefused ? t('signIn.refusedKey') : <ErrorText error={signIn.error} />}
        </Alert>
      )}
      <SignInForms isPending={signIn.isPending} onKey={(key) => signIn.mutate(key)} />
    </Stack>
  );
}
