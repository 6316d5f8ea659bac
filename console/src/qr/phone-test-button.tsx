import { Modal, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { ActionButton } from '../components/action-button';
import { IconDeviceMobile } from '../components/icons';
import { useI18n } from '../i18n/i18n';

const PhoneTest = lazy(() => import('./phone-test'));

/** Opens a dialog with the code that tests a link on a phone. */
export function PhoneTestButton(props: { projectId: string; linkId: string; url: string }) {
  const { t } = useI18n();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActionButton variant="default" leftSection={<IconDeviceMobile size={16} aria-hidden />} onClick={open}>
        {t('phoneTest.title')}
      </ActionButton>
      <Modal opened={isOpen} onClose={close} title={t('phoneTest.title')} centered>
        <Suspense fallback={<Skeleton height={400} />}>
          <PhoneTest {...props} />
        </Suspense>
      </Modal>
    </>
  );
}
