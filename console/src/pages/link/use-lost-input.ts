import { useI18n } from '../../i18n/i18n';
import type { LinkFormState, LinkValues } from './link-values';
import { lostInput } from './lost-input';

/** Marks the fields whose input a save would drop. */
export function useLostInput(form: LinkFormState, saved: LinkValues) {
  const { t } = useI18n();
  const messages = (): Record<string, string> =>
    Object.fromEntries(Object.entries(lostInput(form.getValues(), saved)).map(([field, key]) => [field, t(key)]));
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
