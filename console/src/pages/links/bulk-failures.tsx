import { Alert, List, Modal, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiError } from '../../api/api-error';
import { useI18n } from '../../i18n/i18n';
import { refusalText } from '../../i18n/refusal-text';
import type { Failure } from './change-by-filter';

/** Failures that the dialog lists, because thousands can fail. */
const maxShown = 100;

/** Names the links that a bulk action left as they are, with the reason of each. */
export function BulkFailures({
  projectId,
  failures,
  onClose,
}: {
  projectId: string;
  failures: readonly Failure[];
  onClose: () => void;
}) {
  const i18n = useI18n();
  const { t, counted } = i18n;
  const reasonOf = (error: ApiError): string =>
    error.problems.some(({ code, path }) => code === 'too_big' && path.at(-1) === 'tags')
      ? t('bulk.tooManyTags')
      : refusalText(error, i18n);
  return (
    <Modal opened={failures.length > 0} onClose={onClose} title={counted('bulk.failed', failures.length)} centered>
      <Stack>
        <Alert color="yellow">{t('bulk.failedText')}</Alert>
        <List spacing="xs">
          {failures.slice(0, maxShown).map(({ id, name, error }) => (
            <List.Item key={id}>
              <Link className="row-link" to="/projects/$projectId/links/$linkId" params={{ projectId, linkId: id }}>
                {name}
              </Link>
              <Text size="sm">{reasonOf(error)}</Text>
            </List.Item>
          ))}
        </List>
        {failures.length > maxShown && <Text size="sm">{counted('bulk.more', failures.length - maxShown)}</Text>}
      </Stack>
    </Modal>
  );
}
