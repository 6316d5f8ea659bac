import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useI18n } from '../../i18n/i18n';
import { placeOfRunbook } from './runbook-place';

/** Leads to the page of the documentation that says what to do. */
export function Runbook({ runbook }: { runbook: string }) {
  const { t } = useI18n();
  const { page, hash } = placeOfRunbook(runbook);
  return (
    <Anchor
      size="sm"
      renderRoot={(root: object) => <Link {...root} to="/help/$" params={{ _splat: page }} hash={hash} />}
    >
      {t('health.runbook')}
    </Anchor>
  );
}
