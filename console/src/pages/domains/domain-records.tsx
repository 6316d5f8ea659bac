import { Alert, Badge, Stack, Text } from '@mantine/core';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { components, CustomDomain } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { Copyable } from '../../components/copyable';
import { RowTable } from '../../components/row-table';
import { useI18n } from '../../i18n/i18n';

type Checked = components['schemas']['DomainRecords'];
type DomainRecord = components['schemas']['DomainRecord'];

interface DomainPath {
  projectId: string;
  domainId: string;
}

/** The time between two checks while a record is not there yet. */
const checkIntervalMs = 20_000;

const stateColors = { ok: 'green', missing: 'yellow', different: 'yellow', unknown: 'gray' } as const;

/** Compares the records with the DNS, and visits a verified domain. */
export const checkDomain = async (path: DomainPath, probe = true): Promise<Checked> =>
  (
    await answerOf(
      api.GET('/projects/{projectId}/custom-domains/{domainId}/records', { params: { path, query: { probe } } }),
    )
  ).data;

/** Reads the records when the page opens, and again while one is missing. The page does not visit the domain by itself. */
export function useDomainRecords({ project_id: projectId, id: domainId, status }: CustomDomain): {
  queryKey: QueryKey;
  data: Checked | undefined;
} {
  const queryKey = ['custom-domain-records', projectId, domainId, status];
  const { data } = useQuery({
    queryKey,
    queryFn: () => checkDomain({ projectId, domainId }, false),
    staleTime: checkIntervalMs,
    refetchInterval: ({ state }) =>
      state.data?.records.some((record) => record.state === 'missing' || record.state === 'different')
        ? checkIntervalMs
        : false,
  });
  return { queryKey, data };
}

/** Shows the records that a domain needs, their state in the DNS, and the answer of the domain. */
export function DomainRecords({
  domain,
  checked,
  visit,
}: {
  domain: CustomDomain;
  checked: Checked | undefined;
  /** The result of the last visit of this page. */
  visit: Checked['visit'] | undefined;
}) {
  const { t } = useI18n();
  const { type, name, value } = domain.verification_record;
  const ownership = checked?.records.find(({ purpose }) => purpose === 'ownership');
  const address = checked?.records.find(({ purpose }) => purpose === 'address');
  const { hostname } = domain;
  return (
    <Stack gap="xs">
      <RowTable
        label={hostname}
        heads={[t('domains.type'), t('domains.name'), t('domains.value'), t('domains.found')]}
        rows={[
          {
            key: type,
            cells: [
              type,
              <Copyable value={name} name={t('domains.name')} />,
              <Copyable value={value} name={t('domains.value')} />,
              <State record={ownership} />,
            ],
          },
          {
            key: 'CNAME',
            cells: [
              'CNAME',
              <Copyable value={hostname} name={t('domains.addressName')} />,
              address?.value === null
                ? t('domains.noTarget')
                : address && <Copyable value={address.value} name={t('domains.addressValue')} />,
              <State record={address} />,
            ],
          },
        ]}
      />
      {address && address.addresses.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('domains.addresses', { addresses: address.addresses.join(', ') })}
        </Text>
      )}
      {visit && (
        <Alert color={visit.answer === 'ok' ? 'green' : 'yellow'} role="status">
          {t(`domains.visit.${visit.answer}`, { hostname })}
        </Alert>
      )}
    </Stack>
  );
}

function State({ record }: { record: DomainRecord | undefined }) {
  const { t } = useI18n();
  if (!record) return null;
  const { state, purpose, found } = record;
  return (
    <>
      <Badge color={stateColors[state]} variant="light" tt="none">
        {t(`domains.state.${state}`)}
      </Badge>
      {purpose === 'address' &&
        found.map((value) => (
          <Text key={value} size="sm" className="mono">
            {value}
          </Text>
        ))}
    </>
  );
}
