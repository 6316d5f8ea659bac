import { Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsMutating } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ActionButton } from '../components/action-button';
import { closing } from '../components/closing';
import { Confirm, type Confirmation } from '../components/confirm';
import { IconShare } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import { shareMutation } from './share-mutation';

const ShareDialog = lazy(() => import('./share-dialog'));

/** Opens a dialog that shares the statistics with people without an account. */
export function ShareButton(props: { projectId: string; linkId: string | null; tag: string | null; timezone: string }) {
  const { t } = useI18n();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const isSaving = useIsMutating({ mutationKey: shareMutation }) > 0;
  return (
    <>
      <ActionButton
        operation="listShares"
        variant="default"
        leftSection={<IconShare size={18} aria-hidden />}
        onClick={open}
      >
        {t('shares.share')}
      </ActionButton>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('shares.title')}
        size="lg"
        {...closing(isSaving)}
        closeOnEscape={!isSaving && confirmation === null}
      >
        <Suspense>
          <ShareDialog {...props} onConfirmation={setConfirmation} />
        </Suspense>
      </Modal>
      {/* After the other dialog, because dialogs handle Escape in the order of mounting. */}
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
    </>
  );
}
