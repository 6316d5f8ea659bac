import { useBlocker } from '@tanstack/react-router';
import { useI18n } from '../i18n/i18n';

/** Asks before the page is left while it has changes that are not saved. */
export function useUnsavedChanges(isDirty: boolean): void {
  const { t } = useI18n();
  useBlocker({
    shouldBlockFn: () => isDirty && !window.confirm(t('form.leave')),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
  });
}
