import { Alert, Drawer, Group, List, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { PermittedFields } from '../../components/permitted-fields';
import { ActionButton } from '../../components/action-button';
import { closing, dialogMutation } from '../../components/closing';
import { Confirm, type Confirmation } from '../../components/confirm';
import { errorAt } from '../../components/error-at';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { useAskToClose } from '../../components/use-ask-to-close';
import { QueryView } from '../../components/query-view';
import { type Base, useVersionedForm } from '../../components/use-versioned-form';
import { VersionConflict } from '../../components/version-conflict';
import { useI18n } from '../../i18n/i18n';
import { findingOf } from './findings';
import type { AppValues, AssociationProblem, Platform } from './platform';
import { Releases } from './releases';
import { isSameApp } from './stored-app';

/** Names the mutation for the dialog around the form. */
const mutationKey = ['saved-app'];

/** An app whose editor is open. */
export interface EditedApp {
  /** Null for a new app. */
  app: { id: string; name: string } | null;
}

interface EditorProps<App, Values extends AppValues> {
  platform: Platform<App, Values>;
  projectId: string;
  /** Null while the editor is closed. A constant object while it is open. */
  edited: EditedApp | null;
  problemsOf: (appId: string) => AssociationProblem[];
  onClose: (closed: EditedApp) => void;
}

/** Creates, changes and deletes an app of either platform. It stays mounted, so that the focus returns after it is closed. */
export function AppEditor<App, Values extends AppValues>(props: EditorProps<App, Values>) {
  const { t } = useI18n();
  const { platform, edited, onClose } = props;
  // The app stays in the editor until this has moved out.
  const [shown, setShown] = useState({ edited, opening: 0 });
  if (edited !== null && edited !== shown.edited) setShown({ edited, opening: shown.opening + 1 });
  const isSaving = useIsMutating({ mutationKey }) > 0;
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const askToClose = useAskToClose(() => edited && onClose(edited));
  return (
    <>
      <Drawer
        opened={edited !== null}
        onClose={askToClose}
        title={shown.edited?.app?.name ?? t(platform.titleOfNew)}
        position="right"
        size="lg"
        {...closing(isSaving)}
        closeOnEscape={!isSaving && confirmation === null}
      >
        {shown.edited && (
          <OpenedApp key={shown.opening} {...props} edited={shown.edited} onConfirmation={setConfirmation} />
        )}
      </Drawer>
      {/* After the editor, because dialogs handle Escape in the order of mounting. */}
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </>
  );
}

interface OpenedProps<App, Values extends AppValues> extends EditorProps<App, Values> {
  edited: EditedApp;
  onConfirmation: (confirmation: Confirmation) => void;
}

function OpenedApp<App, Values extends AppValues>(props: OpenedProps<App, Values>) {
  const { platform, projectId, edited } = props;
  const { app } = edited;
  const read = async (): Promise<Base<Values>> => {
    if (app === null) return { values: platform.valuesOf(null), etag: '' };
    const { value, etag } = await platform.read(projectId, app.id);
    return { values: platform.valuesOf(value), etag };
  };
  // The form shows the version that a change names, not that of the list. Each opening reads it again.
  const opened = useQuery({
    queryKey: ['opened-app', projectId, app?.id, useId()],
    queryFn: read,
    gcTime: 0,
    staleTime: Infinity,
  });
  return (
    <QueryView query={opened} height={480}>
      {(base) => <AppForm {...props} opened={base} read={read} />}
    </QueryView>
  );
}

function AppForm<App, Values extends AppValues>({
  platform,
  projectId,
  edited,
  problemsOf,
  onClose,
  opened,
  read,
  onConfirmation,
}: OpenedProps<App, Values> & { opened: Base<Values>; read: () => Promise<Base<Values>> }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const { app } = edited;
  const problems = problemsOf(app?.id ?? '');
  const refresh = () => client.invalidateQueries({ queryKey: ['project', projectId] });
  const close = async (): Promise<void> => {
    onClose(edited);
    await refresh();
  };
  const { form, submit, isSaving, error, conflict } = useVersionedForm({
    opened,
    read,
    save: ({ values, etag, key }) =>
      app === null ? platform.create(projectId, values, key) : platform.update(projectId, app.id, values, etag),
    isSame: isSameApp,
    onSaved: ({ isDirty: isTyped }) => {
      if (!isTyped) return close();
      notifications.show({ message: t('form.saved') });
      return refresh();
    },
    mutation: { mutationKey, ...dialogMutation },
  });
  const askToRemove = ({ id, name }: { id: string; name: string }): void =>
    onConfirmation({
      title: t('apps.deleteTitle', { name }),
      text: t('apps.deleteText'),
      action: t('links.delete'),
      run: async () => {
        await platform.remove(projectId, id);
        await close();
      },
    });
  const errorOf = (field: string) => {
    const refused = errorAt(form.errors, field);
    const broken = problems.find(({ code }) => platform.rules[field as keyof Values]?.includes(code));
    return refused ?? (broken && findingOf(broken, app?.name, t).message);
  };
  const labelOf = (field: string): string => t(platform.labels[field as keyof Values]);
  const inputOf = (field: string, label = platform.labels[field as keyof Values]) => ({
    ...form.getInputProps(field),
    label: t(label),
    error: errorOf(field),
  });

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        {problems.length > 0 && (
          <Alert color="yellow" title={t('apps.problemsTitle')}>
            <List size="sm">
              {problems.map((problem) => {
                const { message, remedy } = findingOf(problem, app?.name, t);
                return (
                  <List.Item key={problem.code}>
                    {message} {remedy}
                  </List.Item>
                );
              })}
            </List>
          </Alert>
        )}
        <PermittedFields operation={app ? 'updateIosApp' : 'createIosApp'}>
          <PendingFields isPending={isSaving && app === null}>
            <TextInput {...inputOf('name')} required data-autofocus />
            {platform.fields(inputOf, t)}
            <TagsInput {...inputOf('paths')} description={t('apps.pathsHint')} />
            <Switch
              {...form.getInputProps('shared_credentials', { type: 'checkbox' })}
              label={labelOf('shared_credentials')}
            />
          </PendingFields>
        </PermittedFields>
        {app && <Releases projectId={projectId} appId={app.id} platform={platform.name} />}
        {conflict ? (
          <VersionConflict {...conflict} labelOf={labelOf} />
        ) : (
          <FormError error={error} fields={Object.keys(platform.labels)} />
        )}
        <Group justify="space-between">
          {app ? (
            <ActionButton operation="deleteIosApp" variant="default" onClick={() => askToRemove(app)}>
              {t('links.delete')}
            </ActionButton>
          ) : (
            <span />
          )}
          <ActionButton operation={app ? 'updateIosApp' : 'createIosApp'} type="submit" loading={isSaving}>
            {app ? t('form.save') : t('apps.add')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
