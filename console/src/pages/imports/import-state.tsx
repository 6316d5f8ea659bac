import { Badge } from '@mantine/core';
import type { Import } from 'signpost-client';
import { useI18n } from '../../i18n/i18n';

const colors: Record<Import['state'], string> = {
  uploading: 'blue',
  checking: 'blue',
  ready: 'yellow',
  running: 'blue',
  completed: 'brand',
  cancelled: 'gray',
  failed: 'red',
};

export function ImportState({ state }: Pick<Import, 'state'>) {
  const { t } = useI18n();
  return (
    <Badge variant="light" tt="none" miw="max-content" color={colors[state]}>
      {t(`imports.state.${state}`)}
    </Badge>
  );
}
