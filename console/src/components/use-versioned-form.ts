import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/api-error';
import { idempotencyKey } from '../api/client';
import { errorsAtFields } from '../api/errors-at-fields';

/** The values of a form, with the version that they were read from. */
export interface Base<Values> {
  values: Values;
  /** Empty for something new. */
  etag: string;
}

interface Attempt<Values> extends Base<Values> {
  /** The same for each attempt of one creation. */
  key: string;
}

interface Conflict {
  fields: string[];
  onOverwrite: () => void;
  onTakeTheirs: () => void;
}

export interface VersionedForm<Values> {
  form: UseFormReturnType<Values>;
  submit: (values: Values) => void;
  isSaving: boolean;
  error: Error | null;
  /** Set if somebody else changed the values since they were read. */
  conflict: Conflict | null;
}

const changedFields = (before: object, after: object): string[] => {
  const then = new Map(Object.entries(before));
  return Object.entries(after)
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(then.get(field)))
    .map(([field]) => field);
};

/** Edits values of one version. A change of somebody else in the meantime is reported instead of overwritten. */
export function useVersionedForm<Values extends object>({
  opened,
  read,
  save,
  onSaved,
}: {
  opened: Base<Values>;
  read: () => Promise<Base<Values>>;
  save: (attempt: Attempt<Values>) => Promise<unknown>;
  onSaved: () => Promise<unknown>;
}): VersionedForm<Values> {
  const [base, setBase] = useState(opened);
  const [theirs, setTheirs] = useState<Base<Values> | null>(null);
  const form = useForm<Values>({ initialValues: base.values });
  const saving = useMutation({
    mutationFn: save,
    onError: async (error) => {
      form.setErrors(errorsAtFields(error));
      if (error instanceof ApiError && error.code === 'PRECONDITION_FAILED') setTheirs(await read());
    },
    onSuccess: onSaved,
  });
  const attempt = (values: Values, etag: string): void => {
    setTheirs(null);
    saving.mutate({ values, etag, key: idempotencyKey() });
  };
  const takeTheirs = (current: Base<Values>): void => {
    setBase(current);
    form.setInitialValues(current.values);
    form.setValues(current.values);
    setTheirs(null);
    saving.reset();
  };
  return {
    form,
    submit: (values) => attempt(values, base.etag),
    isSaving: saving.isPending,
    error: saving.error,
    conflict: theirs && {
      fields: changedFields(base.values, theirs.values),
      onOverwrite: () => attempt(form.getValues(), theirs.etag),
      onTakeTheirs: () => takeTheirs(theirs),
    },
  };
}
