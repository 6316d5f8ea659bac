import { useI18n } from '../i18n/i18n';
import { isLeaveAsked } from './use-leave-question';

/** Returns a function that closes a dialog, after a question if its form has changes. Pages below dialogs have no form. */
export function useAskToClose(close: () => void): () => void {
  const { t } = useI18n();
  return () => {
    if (!isLeaveAsked() || window.confirm(t('form.close'))) close();
  };
}
