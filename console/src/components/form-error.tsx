import { Alert } from '@mantine/core';
import { errorsAtFields } from '../api/errors-at-fields';
import { useI18n } from '../i18n/i18n';
import { ErrorText } from './error-text';

/** Shows an error of a form, unless each of its problems is shown at a field of the form. */
export function FormError({
  error,
  fields,
  title,
}: {
  error: Error | null;
  fields: readonly string[];
  /** Says what has not happened, if nothing was to be saved. */
  title?: string;
}) {
  const { t } = useI18n();
  if (error === null) return null;
  const paths = Object.keys(errorsAtFields(error));
  const isAtFields = paths.length > 0 && paths.every((path) => fields.includes(path.split('.')[0]!));
  return (
    <Alert color="red" title={title ?? t('form.notSaved')} role="alert">
      {isAtFields ? t('form.seeFields') : <ErrorText error={error} />}
    </Alert>
  );
}
