import { Alert, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CustomDomain } from 'signpost-client';
import { useState } from 'react';
import { useRefusal } from '../../session/use-refusal';
import { ApiError } from '../../api/api-error';
import { answerOf, api } from '../../api/client';
import { ActionButton } from '../../components/action-button';
import { Confirm, type Confirmation } from '../../components/confirm';
import { ErrorText } from '../../components/error-text';
import { useI18n } from '../../i18n/i18n';
import { checkDomain, DomainRecords, useDomainRecords } from './domain-records';

interface Changes {
  active?: boolean;
  open_host?: boolean;
}

/** The time between two checks while a domain waits for its DNS record. */
const checkIntervalMs = 20_000;

/** Looks for the DNS record while the page is open. The list is read again when it is there. */
function useChecks(listed: CustomDomain): CustomDomain {
  const client = useQueryClient();
  const path = { projectId: listed.project_id, domainId: listed.id };
  const mayVerify = useRefusal('verifyCustomDomain') === null;
  const isPending = listed.status === 'pending';
  const checked = useQuery({
    queryKey: ['project', path.projectId, 'custom-domain', path.domainId],
    queryFn: async () => {
      await answerOf(api.POST('/projects/{projectId}/custom-domains/{domainId}/verify', { params: { path } })).catch(
        (error: unknown) => {
          if (!(error instanceof ApiError) || error.code !== 'DOMAIN_NOT_VERIFIED') throw error;
        },
      );
      const domain = await answerOf(api.GET('/projects/{projectId}/custom-domains/{domainId}', { params: { path } }));
      if (domain.data.status !== 'pending')
        await client.invalidateQueries({ queryKey: ['project', path.projectId, 'custom-domains'] });
      return domain.data;
    },
    initialData: listed,
    staleTime: checkIntervalMs,
    refetchInterval: checkIntervalMs,
    enabled: isPending && mayVerify,
  });
  return isPending ? checked.data : listed;
}

/** Shows a custom domain with its DNS record, its state, and the next step. */
export function DomainCard({ domain: listed }: { domain: CustomDomain }) {
  const { t, dateTime } = useI18n();
  const domain = useChecks(listed);
  const client = useQueryClient();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const path = { projectId: domain.project_id, domainId: domain.id };
  const reload = () => client.invalidateQueries({ queryKey: ['project', domain.project_id] });
  const records = useDomainRecords(domain);
  const verify = useMutation({
    // The result belongs to the state before, which the page may find changed by itself.
    mutationFn: (_status: CustomDomain['status']) =>
      answerOf(api.POST('/projects/{projectId}/custom-domains/{domainId}/verify', { params: { path } })),
    onSettled: reload,
  });
  const check = useMutation({
    mutationFn: () => checkDomain(path),
    onSuccess: (checked) => client.setQueryData(records.queryKey, checked),
  });
  const change = useMutation({
    mutationFn: (body: Changes) =>
      answerOf(api.PUT('/projects/{projectId}/custom-domains/{domainId}', { params: { path }, body })),
    onSuccess: reload,
  });
  const activate = useMutation({
    mutationFn: async () => {
      const answer = await check.mutateAsync().then(
        ({ visit }) => visit?.answer ?? 'not_probed',
        () => 'not_probed' as const,
      );
      if (answer === 'ok') return change.mutateAsync({ active: true });
      setConfirmation({
        title: t('domains.useTitle', { hostname: domain.hostname }),
        text: t('domains.useText', { reason: t(`domains.visit.${answer}`, { hostname: domain.hostname }) }),
        action: t('domains.useAnyway'),
        run: () => change.mutateAsync({ active: true }),
      });
    },
  });
  const remove = (): void =>
    setConfirmation({
      title: t('domains.removeTitle', { hostname: domain.hostname }),
      text: t('domains.removeText'),
      action: t('domains.remove'),
      run: async () => {
        await answerOf(api.DELETE('/projects/{projectId}/custom-domains/{domainId}', { params: { path } }));
        await reload();
      },
    });
  const isPending = domain.status === 'pending';
  return (
    <Paper className="card" p="lg">
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <Stack>
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={2} className="mono">
              {domain.hostname}
            </Title>
            <Badge color={isPending ? 'yellow' : 'brand'} variant="light" tt="none">
              {t(`domains.status.${domain.status}`)}
            </Badge>
            {domain.open_host && (
              <Badge variant="default" tt="none">
                {t('domains.openHost')}
              </Badge>
            )}
          </Group>
          <Group gap="xs">
            <ActionButton
              operation="verifyCustomDomain"
              variant={isPending ? 'filled' : 'default'}
              size="xs"
              loading={verify.isPending || check.isPending}
              onClick={() => {
                verify.mutate(domain.status);
                check.mutate();
              }}
            >
              {t('domains.verify')}
            </ActionButton>
            {!isPending && (
              <ActionButton
                operation="updateCustomDomain"
                variant="default"
                size="xs"
                loading={change.isPending || activate.isPending}
                onClick={() => (domain.active ? change.mutate({ active: false }) : activate.mutate())}
              >
                {t(domain.active ? 'domains.deactivate' : 'domains.activate')}
              </ActionButton>
            )}
            {!isPending && !domain.active && (
              <ActionButton
                operation="updateCustomDomain"
                variant="default"
                size="xs"
                loading={change.isPending}
                onClick={() => change.mutate({ open_host: !domain.open_host })}
              >
                {t(domain.open_host ? 'domains.openHostOff' : 'domains.openHostOn')}
              </ActionButton>
            )}
            <ActionButton operation="deleteCustomDomain" variant="default" size="xs" onClick={remove}>
              {t('domains.remove')}
            </ActionButton>
          </Group>
        </Group>
        {isPending && <Text>{t('domains.record')}</Text>}
        <DomainRecords domain={domain} checked={records.data} visit={check.data?.visit} />
        {domain.record_missing_since !== null && (
          <Alert color="yellow">{t('domains.missingSince', { time: dateTime(domain.record_missing_since) })}</Alert>
        )}
        {verify.error && verify.variables === domain.status && (
          <NotVerified error={verify.error} isPending={isPending} />
        )}
        {change.error && (
          <Alert color="red">
            <ErrorText error={change.error} />
          </Alert>
        )}
        {domain.checked_at !== null && (
          <Text size="sm" c="dimmed" role="status">
            {t('domains.checkedAt', { time: dateTime(domain.checked_at) })}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function NotVerified({ error, isPending }: { error: Error; isPending: boolean }) {
  const { t } = useI18n();
  const details = error instanceof ApiError ? error.details : undefined;
  const records = details && 'found' in details ? details : null;
  return (
    <Alert color="yellow" role="alert" title={t(isPending ? 'domains.notVerified' : 'domains.checkFailed')}>
      {records ? (
        <>
          <Text>{t(`domains.reason.${records.reason}`)}</Text>
          {records.found.map((value) => (
            <Text key={value} className="mono">
              {value}
            </Text>
          ))}
        </>
      ) : (
        <ErrorText error={error} />
      )}
    </Alert>
  );
}
