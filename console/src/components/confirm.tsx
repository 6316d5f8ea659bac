import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from './action-button';
import { useI18n } from '../i18n/i18n';
import { closing } from './closing';
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
  const action = useMutation({
    mutationFn: ({ run }: Confirmation) => run(),
    onSuccess: () => close(),
    // Nothing may run after the dialog was closed.
    retry: false,
    networkMode: 'always',
  });
  const close = (): void => {
    action.reset();
    onClose();
  };
  return (
    <Modal
      opened={confirmation !== null}
      onClose={close}
      title={confirmation?.title}
      centered
      {...closing(action.isPending)}
    >
      {confirmation && (
        <Question
          confirmation={confirmation}
          error={action.error}
          isPending={action.isPending}
          onConfirm={() => action.mutate(confirmation)}
          onClose={close}
        />
      )}
    </Modal>
  );
}

function Question({
  confirmation,
  error,
  isPending,
  onConfirm,
  onClose,
}: {
  confirmation: Confirmation;
  error: Error | null;
  isPending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { t } = useI18n();
  const [typed, setTyped] = useState('');
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
      {error && (
        <Alert color="red">
          <ErrorText error={error} />
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" disabled={isPending} onClick={onClose}>
          {confirmation.keep ?? t('confirm.cancel')}
        </Button>
        <ActionButton
          color={confirmation.isHarmless ? undefined : 'red.9'}
          disabled={!isReady}
          loading={isPending}
          onClick={onConfirm}
        >
          {confirmation.action}
        </ActionButton>
      </Group>
    </Stack>
  );
}
