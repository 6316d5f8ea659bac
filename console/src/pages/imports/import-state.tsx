import { Badge } from '@mantine/core';
import type { Import } from 'signpost-client';
import { isFetching } from '../../api/import-queries';
import { useI18n } from '../../i18n/i18n';
import { isStuck } from './may-run';

const colors: Record<Import['state'], string> = {
  uploading: 'blue',
  checking: 'blue',
  ready: 'yellow',
  running: 'blue',
  completed: 'brand',
  cancelled: 'gray',
  failed: 'red',
};

export function ImportState({ job }: { job: Pick<Import, 'state' | 'format' | 'conflict' | 'counts'> }) {
  const { t } = useI18n();
  const { state } = job;
  return (
    <Badge variant="light" tt="none" miw="max-content" color={isStuck(job) ? 'gray' : colors[state]}>
      {t(isFetching(job) ? 'imports.state.fetching' : isStuck(job) ? 'imports.state.stuck' : `imports.state.${state}`)}
    </Badge>
  );
}
