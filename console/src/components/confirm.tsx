import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useI18n } from '../i18n/i18n';
import { ErrorText } from './error-text';

export interface Confirmation {
  title: string;
  text: string;
  action: string;
  /** The text that the user must type, for actions that destroy much. */
  typed?: string;
  /** Whether the action destroys nothing, so that its button has the usual colour. */
  isHarmless?: boolean;
  /** Label of the button that closes the dialog. */
  keep?: string;
  run: () => Promise<unknown>;
}

/** Asks before an action with consequences, runs it, and shows why it failed. */
export function Confirm({ confirmation, onClose }: { confirmation: Confirmation | null; onClose: () => void }) {
  return (
    <Modal opened={confirmation !== null} onClose={onClose} title={confirmation?.title} centered>
      {confirmation && <Question confirmation={confirmation} onClose={onClose} />}
    </Modal>
  );
}

function Question({ confirmation, onClose }: { confirmation: Confirmation; onClose: () => void }) {
  const { t } = useI18n();
  const [typed, setTyped] = useState('');
  const action = useMutation({ mutationFn: confirmation.run, onSuccess: onClose });
  const isReady = confirmation.typed === undefined || typed === confirmation.typed;
  return (
    <Stack>
      <Text>{confirmation.text}</Text>
      {confirmation.typed !== undefined && (
        <TextInput
          label={t('confirm.type', { text: confirmation.typed })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
      {action.error && (
        <Alert color="red">
          <ErrorText error={action.error} />
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {confirmation.keep ?? t('confirm.cancel')}
        </Button>
        <Button
          color={confirmation.isHarmless ? undefined : 'red.9'}
          disabled={!isReady}
          loading={action.isPending}
          onClick={() => action.mutate()}
        >
          {confirmation.action}
        </Button>
      </Group>
    </Stack>
  );
}
