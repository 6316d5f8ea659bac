import { Select, type SelectProps, TagsInput, type TagsInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n';

/** Says which of the visitor's parameters destinations get. */
export function ForwardingFields({
  select,
  names,
  namesError,
  asProject = false,
}: {
  select: SelectProps;
  names: TagsInputProps;
  namesError: ReactNode;
  /** Offers the setting of the project. */
  asProject?: boolean;
}) {
  const { t } = useI18n();
  return (
    <>
      <Select
        {...select}
        label={t('forwarding.title')}
        description={t('forwarding.hint')}
        allowDeselect={false}
        data={[
          ...(asProject ? [{ value: '', label: t('forwarding.asProject') }] : []),
          { value: 'all', label: t('forwarding.all') },
          { value: 'none', label: t('forwarding.none') },
          { value: 'listed', label: t('forwarding.listed') },
        ]}
      />
      {select.value === 'listed' && (
        <TagsInput
          {...names}
          error={namesError}
          label={t('forwarding.names')}
          description={t('forwarding.namesHint')}
        />
      )}
    </>
  );
}
