import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError } from '../api/api-error';
import { errorsAtFields } from '../api/errors-at-fields';
import { useI18n } from '../i18n/i18n';
import { changedFields, comparedChanges, merged } from './changed-fields';
import { useCreationKey } from './use-creation-key';
import { useUnsavedChanges } from './use-unsaved-changes';

/** The values of a form, with the version that they were read from. */
export interface Base<Values> {
  values: Values;
  /** Empty for something new. */
  etag: string;
}

interface Attempt<Values> extends Base<Values> {
  /** The same for each attempt of one creation. */
  key: string;
  /** The values before; null if this is an undo. */
  replaced: Values | null;
}

/** A change that was saved. */
interface Saved<Values> extends Base<Values> {
  /** The values as they were sent. */
  sent: Values;
  replaced: Values | null;
  /** Whether fields have changed since the values were sent. */
  isDirty: boolean;
}

export interface Conflict<Values> {
  /** The newer values. */
  theirs: Values;
  /** Fields that both sides changed to different values. */
  inConflict: (keyof Values & string)[];
  /** Fields that only somebody else changed. They stay as they are. */
  others: (keyof Values & string)[];
  onOverwrite: () => void;
  onTakeTheirs: () => void;
}

export interface VersionedForm<Values> {
  form: UseFormReturnType<Values>;
  base: Base<Values>;
  isDirty: boolean;
  submit: (values: Values) => void;
  /** Saves values over those of a version that this form has saved. */
  undo: (values: Values, etag: string) => void;
  isSaving: boolean;
  error: Error | null;
  /** Set if somebody else changed the values since they were read. */
  conflict: Conflict<Values> | null;
}

/** Edits values of one version. A change of somebody else in the meantime is reported instead of overwritten. */
export function useVersionedForm<Values extends object>({
  opened,
  read,
  save,
  isSame = (sent, current) => changedFields(sent, current).length === 0,
  onSaved,
  onFollowed,
  mutation,
  isTyping = false,
}: {
  /** The newest version that the page has read. */
  opened: Base<Values>;
  read: () => Promise<Base<Values>>;
  save: (attempt: Attempt<Values>) => Promise<unknown>;
  /** Returns whether the service shows the values that were sent like the current ones. */
  isSame?: (sent: Values, current: Values) => boolean;
  onSaved: (saved: Saved<Values>) => unknown;
  /** Runs after the form got another version than its own. */
  onFollowed?: () => void;
  /** The key of saves, and how one is sent again; by default like all changes. */
  mutation?: Pick<UseMutationOptions, 'mutationKey' | 'networkMode' | 'retry'>;
  /** Whether a field has text that is not yet among the values. */
  isTyping?: boolean;
}): VersionedForm<Values> {
  const i18n = useI18n();
  const [base, setBase] = useState(opened);
  const [theirs, setTheirs] = useState<Base<Values> | null>(null);
  /** A newer version that the form shows, because it had no changes. */
  const [followed, setFollowed] = useState<Base<Values> | null>(null);
  const [seenEtag, setSeenEtag] = useState(opened.etag);
  const form = useForm<Values>({ initialValues: base.values });
  const isDirty = isTyping || changedFields(base.values, form.values).length > 0;
  useUnsavedChanges(isDirty);
  const creationKey = useCreationKey();

  const saving = useMutation({
    ...mutation,
    mutationFn: async (attempt: Attempt<Values>): Promise<Base<Values>> => {
      try {
        await save(attempt);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED') throw error;
        const current = await read();
        // The answer to an earlier attempt may have been lost.
        if (isSame(attempt.values, current.values)) return current;
        setTheirs(current);
        throw error;
      }
      return attempt.etag === '' ? attempt : read();
    },
    onError: (error) => form.setErrors(errorsAtFields(error, i18n)),
    onSuccess: (saved, { values: sent, replaced }) => {
      creationKey.forget();
      const typed = changedFields(sent, form.getValues());
      follow(saved, typed);
      return onSaved({ ...saved, sent, replaced, isDirty: typed.length > 0 });
    },
  });
  const attempt = (values: Values, { etag }: Pick<Base<Values>, 'etag'>, replaced: Values | null): void => {
    setTheirs(null);
    saving.mutate({ values, etag, key: creationKey.of(values), replaced });
  };
  /** Shows a version, except in the fields that are kept. */
  function follow(version: Base<Values>, edited: (keyof Values)[] = []): void {
    const typed = Object.entries(form.getValues()).filter(([field]) => edited.includes(field as keyof Values));
    setBase(version);
    setTheirs(null);
    form.setValues({ ...version.values, ...Object.fromEntries(typed) });
  }

  if (!saving.isPending && opened.etag !== seenEtag) {
    setSeenEtag(opened.etag);
    const isOther = opened.etag !== base.etag && changedFields(base.values, opened.values).length > 0;
    if (isOther && isDirty) setTheirs(opened);
    else if (opened.etag !== base.etag) setBase(opened);
    if (isOther && !isDirty) setFollowed(opened);
  }
  const showFollowed = useEffectEvent((version: Base<Values>) => {
    form.setValues(version.values);
    onFollowed?.();
  });
  useEffect(() => {
    if (followed !== null) showFollowed(followed);
  }, [followed]);

  return {
    form,
    base,
    isDirty,
    submit: (values) => {
      if (!saving.isPending) attempt(values, base, base.values);
    },
    undo: (values, etag) => {
      form.setValues(values);
      attempt(values, { etag }, null);
    },
    isSaving: saving.isPending,
    error: saving.error,
    conflict: theirs && {
      theirs: theirs.values,
      ...comparedChanges(base.values, form.values, theirs.values),
      onOverwrite: () => {
        // Fields without own changes keep what somebody else saved.
        const values = merged(base.values, form.getValues(), theirs.values);
        setBase(theirs);
        form.setValues(values);
        attempt(values, theirs, theirs.values);
      },
      onTakeTheirs: () => {
        follow(theirs);
        saving.reset();
        onFollowed?.();
      },
    },
  };
}
