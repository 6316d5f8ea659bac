import type { UseFormReturnType } from '@mantine/form';
import { useI18n } from '../i18n/i18n';
import type { MessageKey } from '../i18n/text';

/**
 * Marks the fields whose input a save would drop.
 * @param lostInput returns messages by field
 */
export function useLostInput<Values>(
  form: UseFormReturnType<Values>,
  lostInput: (values: Values) => Record<string, MessageKey>,
) {
  const { t } = useI18n();
  const messages = (): Record<string, string> =>
    Object.fromEntries(Object.entries(lostInput(form.getValues())).map(([field, key]) => [field, t(key)]));
  return {
    /** Marks them beside those that the service refuses. */
    mark: (refused: Record<string, string>): void => form.setErrors({ ...messages(), ...refused }),
    /** Runs a save that drops no input, and leads to the first field otherwise. */
    unlessLost: (save: () => void): void => {
      const lost = messages();
      const [first] = Object.keys(lost);
      if (first === undefined) return save();
      form.setErrors(lost);
      form.getInputNode(first)?.focus();
    },
  };
}
