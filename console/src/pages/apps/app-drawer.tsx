import { Alert, Button, Drawer, Group, List, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from 'signpost-client';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { idempotencyKey } from '../../api/client';
import { Confirm, type Confirmation } from '../../components/confirm';
import { FormError } from '../../components/form-error';
import { useI18n } from '../../i18n/i18n';

export type AssociationProblem = components['schemas']['AssociationProblem'];

/** Frames the form of an app: saves, deletes, and shows conflicts. */
export function AppDrawer<Values>({
  projectId,
  title,
  isNew,
  problems,
  fields,
  save,
  remove,
  onSubmit,
  onError,
  onClose,
  children,
}: {
  projectId: string;
  title: string;
  isNew: boolean;
  problems: AssociationProblem[];
  fields: readonly string[];
  /** `key` is the same for each attempt of one creation. */
  save: (values: Values, key: string) => Promise<unknown>;
  remove: (() => Promise<unknown>) | null;
  onSubmit: (handle: (values: Values) => void) => (event?: React.FormEvent<HTMLFormElement>) => void;
  onError: (error: Error) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const reload = () => client.invalidateQueries({ queryKey: ['project', projectId] });
  const saving = useMutation({
    mutationFn: ({ values, key }: { values: Values; key: string }) => save(values, key),
    onError,
    onSuccess: async () => {
      onClose();
      await reload();
    },
  });
  const askToRemove = (run: () => Promise<unknown>): void =>
    setConfirmation({
      title: t('apps.deleteTitle', { name: title }),
      text: t('apps.deleteText'),
      action: t('links.delete'),
      run: async () => {
        try {
          await run();
        } catch (error) {
          throw error instanceof ApiError ? withReferences(error) : error;
        }
        onClose();
        await reload();
      },
    });
  return (
    <Drawer opened onClose={onClose} title={title} position="right" size="lg">
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <form onSubmit={onSubmit((values) => saving.mutate({ values, key: idempotencyKey() }))} noValidate>
        <Stack>
          {problems.length > 0 && (
            <Alert color="yellow" title={t('apps.problemsTitle')}>
              <List size="sm">
                {problems.map(({ code, message, remedy }) => (
                  <List.Item key={code}>
                    {message}{' '}
                    <Text span size="sm" c="dimmed">
                      {remedy}
                    </Text>
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          {children}
          <FormError error={saving.error} fields={fields} />
          <Group justify="space-between">
            {remove ? (
              <Button variant="default" onClick={() => askToRemove(remove)}>
                {t('links.delete')}
              </Button>
            ) : (
              <span />
            )}
            <Button type="submit" loading={saving.isPending}>
              {isNew ? t('apps.add') : t('form.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}

/** Names the links that still use the app. */
function withReferences(error: ApiError): ApiError {
  const { details } = error;
  if (typeof details !== 'object' || !('dynamic_links' in details)) return error;
  const names = details.dynamic_links.map(({ name }) => name).join(', ');
  return new ApiError(error.code, `${error.message}: ${names}`, error.status, details, undefined, error.requestId);
}
