import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import { prefixOf } from './api-key';
import { session } from './session';
import { useOfferedKey } from './use-session';

/** Asks whether to sign in with the key of a link. Closing the question refuses it. */
export default function KeyOffer() {
  const { t } = useI18n();
  const key = useOfferedKey();
  const answer = (isAccepted: boolean) => () => session.answerOffer(isAccepted);
  return (
    <Modal opened={key !== null} onClose={answer(false)} title={t('signIn.offerTitle')} centered zIndex={1000}>
      <Stack>
        <Text>
          {t('signIn.offerText')} {key !== null && <Code>{prefixOf(key)}…</Code>}
        </Text>
        <Text>{t('signIn.offerWarning')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={answer(false)} data-autofocus>
            {t('signIn.offerKeep')}
          </Button>
          <Button onClick={answer(true)}>{t('signIn.offerAccept')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
