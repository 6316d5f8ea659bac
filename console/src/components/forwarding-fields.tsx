import { Select, type SelectProps, TagsInput, type TagsInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n';

/** Names each value; the empty one is the setting of the project. */
export const forwardingLabels = {
  '': 'forwarding.asProject',
  all: 'forwarding.all',
  none: 'forwarding.none',
  listed: 'forwarding.listed',
} as const;

const values = ['all', 'none', 'listed'] as const;

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
        data={[...(asProject ? ([''] as const) : []), ...values].map((value) => ({
          value,
          label: t(forwardingLabels[value]),
        }))}
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
