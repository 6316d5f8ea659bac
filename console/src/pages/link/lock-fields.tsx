import { PasswordInput, Switch, TextInput } from '@mantine/core';
import { useI18n } from '../../i18n/i18n';
import type { LinkFormState } from './link-values';

/**
 * The password of a link, and the number of its clicks.
 * @param isStored whether the service has a password, which stays if no other is typed
 */
export function LockFields({ form, isStored }: { form: LinkFormState; isStored: boolean }) {
  const { t } = useI18n();
  const { password } = form.values;
  return (
    <>
      <Switch
        checked={password !== null}
        onChange={(event) => form.setFieldValue('password', event.currentTarget.checked ? '' : null)}
        label={t('link.password')}
        description={t('link.passwordHint')}
      />
      {password !== null && (
        <PasswordInput
          {...form.getInputProps('password')}
          aria-label={t('link.password')}
          description={isStored ? t('link.passwordStored') : undefined}
          autoComplete="new-password"
          maxLength={200}
        />
      )}
      <TextInput
        {...form.getInputProps('click_limit')}
        type="number"
        min={1}
        step={1}
        label={t('link.clickLimit')}
        description={t('link.clickLimitHint')}
      />
    </>
  );
}
