import { PasswordInput, TextInput } from '@mantine/core';
import type { RefObject } from 'react';
import { useI18n } from '../../i18n/i18n';
import { type ApiField, apiFields } from './api-request';
import { type ApiSource, apiSources } from './api-sources';
import { useSourceName } from './use-source-name';

/** Asks for what the API of a system needs. The values stay in the inputs, which have no name, so that no address can get them. */
export function ApiFields({
  source,
  errors,
  isDisabled,
  inputs,
  onType,
}: {
  source: ApiSource;
  errors: Readonly<Partial<Record<ApiField, string>>>;
  isDisabled: boolean;
  inputs: RefObject<Map<ApiField, HTMLInputElement>>;
  onType: (field: ApiField) => void;
}) {
  const { t } = useI18n();
  const system = useSourceName()(source);
  const common = (field: ApiField) => ({
    ref: (input: HTMLInputElement) => {
      inputs.current.set(field, input);
      return () => void inputs.current.delete(field);
    },
    error: errors[field],
    disabled: isDisabled,
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    onChange: () => onType(field),
  });
  return apiFields(source).map((field) => {
    if (field === 'token')
      return (
        <PasswordInput
          key={field}
          {...common(field)}
          label={t(`imports.api.token.${apiSources[source].token}`, { system })}
          description={t('imports.api.tokenHint')}
          aria-invalid={errors[field] === undefined ? undefined : true}
          visibilityToggleButtonProps={{ 'aria-label': t('imports.api.showToken') }}
          visibilityToggleFocusable
          required
        />
      );
    if (field === 'url')
      return (
        <TextInput
          key={field}
          {...common(field)}
          label={t('imports.api.url', { system })}
          description={t('imports.api.urlHint')}
          inputMode="url"
          required
        />
      );
    return (
      <TextInput
        key={field}
        {...common(field)}
        label={t(`imports.api.${field}`)}
        description={t(`imports.api.${field}Hint`)}
        maw={480}
      />
    );
  });
}
