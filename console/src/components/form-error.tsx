import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { errorsAtFields } from '../api/errors-at-fields';
import { useI18n } from '../i18n/i18n';
import { ErrorText } from './error-text';

/**
 * Shows an error of a form, unless each of its problems is shown at a field of the form. The focus moves to the first of these
 * fields, unless somebody has typed since the form was sent.
 */
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
  const i18n = useI18n();
  const { t } = i18n;
  const place = useRef<HTMLDivElement>(null);
  const isTyped = useRef(false);
  useEffect(() => {
    const form = place.current?.closest('form');
    const onInput = (): void => void (isTyped.current = true);
    const onSubmit = (): void => void (isTyped.current = false);
    form?.addEventListener('input', onInput);
    form?.addEventListener('submit', onSubmit);
    return () => {
      form?.removeEventListener('input', onInput);
      form?.removeEventListener('submit', onSubmit);
    };
  }, []);
  const paths = Object.keys(errorsAtFields(error, i18n));
  const isAtFields = paths.length > 0 && paths.every((path) => fields.includes(path.split('.')[0]!));
  useEffect(() => {
    if (error === null) return;
    if (!isAtFields) place.current?.scrollIntoView({ block: 'nearest' });
    else if (!isTyped.current) focusFirstFault(place.current?.closest('form'));
  }, [error, isAtFields]);
  return (
    <div ref={place} hidden={error === null}>
      {error && (
        <Alert color="red" title={title ?? t('form.notSaved')} role="alert">
          {isAtFields ? t('form.seeFields') : <ErrorText error={error} />}
        </Alert>
      )}
    </div>
  );
}

/** Moves the focus to the first field of a form that is marked as wrong. */
export const focusFirstFault = (form: HTMLFormElement | null | undefined): void =>
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
