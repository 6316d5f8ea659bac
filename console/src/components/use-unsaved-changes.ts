import { useI18n } from '../i18n/i18n';
import { useLeaveQuestion } from './use-leave-question';

/** Asks before the page is left while it has changes that are not saved. */
export function useUnsavedChanges(isDirty: boolean): void {
  const { t } = useI18n();
  useLeaveQuestion(isDirty, () => window.confirm(t('form.leave')));
}
