import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useSyncExternalStore } from 'react';
import { brokenReleases } from '../api/broken-releases';
import { useI18n } from '../i18n/i18n';

/** Shows which released versions of apps a change breaks, and makes it if the person agrees. */
export function BrokenReleasesDialog() {
  const { t } = useI18n();
  const question = useSyncExternalStore(brokenReleases.subscribe, () => brokenReleases.question);
  const reported = useSyncExternalStore(brokenReleases.subscribe, () => brokenReleases.reported);
  useEffect(() => {
    if (reported === null) return;
    notifications.show({ color: 'yellow', message: t('releases.broken', { versions: reported }), autoClose: 15_000 });
    brokenReleases.report(null);
  }, [reported, t]);
  return (
    <Modal
      opened={question !== null}
      onClose={() => question?.answer(false)}
      title={t('releases.refusedTitle')}
      zIndex={400}
      centered
    >
      {question && (
        <Stack>
          <Text>{t('releases.refusedText')}</Text>
          <List size="sm">
            {question.releases.map(({ platform, app_id, version, reason, lost }) => (
              <List.Item key={`${app_id} ${version}`}>
                {platform === 'ios' ? 'iOS' : 'Android'} {version}: {t(`releases.reason.${reason}`, { lost })}
              </List.Item>
            ))}
          </List>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => question.answer(false)} data-autofocus>
              {t('confirm.cancel')}
            </Button>
            <Button color="red.9" onClick={() => question.answer(true)}>
              {t('releases.acknowledge')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
