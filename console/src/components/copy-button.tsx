import { ActionIcon, CopyButton as Copy, Tooltip } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import { IconCheck, IconCopy } from './icons';

/** Copies a value. `name` says which one to people who do not see it. */
export function CopyButton({ value, name }: { value: string; name: string }) {
  const { t } = useI18n();
  return (
    <Copy value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copy.done') : t('copy.copy')}>
          <ActionIcon variant="subtle" onClick={copy} aria-label={t('copy.name', { name })}>
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  );
}
