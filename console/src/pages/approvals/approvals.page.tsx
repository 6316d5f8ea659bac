import { Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Approval } from 'signpost-client';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { accountQuery, approvalsQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { Confirm, type Confirmation } from '../../components/confirm';
import { EmptyState } from '../../components/empty-state';
import { IconUserCircle } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { PagedTable } from '../../components/paged-table';
import { useI18n } from '../../i18n/i18n';

/** Lists changes that wait for a second person, who approves or refuses them. */
export function ApprovalsPage() {
  const { t, dateTime } = useI18n();
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const approvals = useQuery(approvalsQuery(page));
  const userId = useQuery(accountQuery).data?.user_id;
  const resourceOf = ({ resource_name, resource_id, body }: Approval): string =>
    resource_name ?? resource_id ?? (body === null ? '' : JSON.stringify(body));
  const decide = (approval: Approval, decision: 'approve' | 'refuse'): void =>
    setConfirmation({
      title: t(`approvals.${decision}Title`, { change: t(`approvals.operation.${approval.operation}`) }),
      text: t(`approvals.${decision}Text`, { resource: resourceOf(approval) }),
      action: t(`approvals.${decision}`),
      isHarmless: decision === 'refuse',
      run: async () => {
        const params = { path: { approvalId: approval.id } };
        await (decision === 'approve'
          ? answerOf(api.POST('/account/approvals/{approvalId}/approve', { params }))
          : answerOf(api.POST('/account/approvals/{approvalId}/refuse', { params })));
        await client.invalidateQueries();
      },
    });
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.approvals')} lead={t('approvals.lead')} />
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <PagedTable
        query={approvals}
        label={t('nav.approvals')}
        heads={[t('history.what'), t('history.who'), t('approvals.state'), t('approvals.expires')]}
        empty={<EmptyState icon={IconUserCircle} title={t('approvals.emptyTitle')} text={t('approvals.emptyText')} />}
        onPage={setPage}
        rowOf={(approval) => ({
          cells: [
            <>
              <Text fw={600}>{t(`approvals.operation.${approval.operation}`)}</Text>
              <Text size="sm" className="break">
                {resourceOf(approval)}
              </Text>
            </>,
            approval.requested_by_name ?? approval.requested_by,
            <>
              {t(`approvals.state.${approval.state}`)}
              {approval.decided_by_name !== null && <Text size="sm">{approval.decided_by_name}</Text>}
            </>,
            dateTime(approval.expires_at),
          ],
          actions: approval.state === 'pending' && (
            <>
              <ActionButton
                operation="approveApproval"
                refused={approval.requested_by === userId ? t('refused.reason.own_approval') : null}
                size="xs"
                variant="default"
                onClick={() => decide(approval, 'approve')}
              >
                {t('approvals.approve')}
              </ActionButton>
              <ActionButton
                operation="refuseApproval"
                size="xs"
                variant="default"
                onClick={() => decide(approval, 'refuse')}
              >
                {t('approvals.refuse')}
              </ActionButton>
            </>
          ),
        })}
      />
    </Stack>
  );
}
