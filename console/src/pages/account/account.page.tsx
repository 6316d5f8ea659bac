import { Badge, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Account } from 'signpost-client';
import { accountQuery } from '../../api/queries';
import { Copyable } from '../../components/copyable';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { useBytes } from '../../components/use-bytes';
import { useI18n } from '../../i18n/i18n';
import { useSession } from '../../session/use-session';
import { Protection } from './protection';

type QuotaUse = Account['quotas']['projects'];

const quotaNames = ['projects', 'dynamic_links', 'import_bytes', 'picture_bytes', 'api_keys'] as const;
const features = ['short_links', 'deferred_deep_links'] as const;

/** Shows the plan of the account, with its quotas and their use. */
export function AccountPage() {
  const { t, date, number } = useI18n();
  const bytes = useBytes();
  const account = useQuery(accountQuery);
  const isPerson = useSession().kind === 'person';
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.account')} lead={t('account.lead')} />
      <QueryView query={account} height={320}>
        {(data) => (
          <>
            <Paper className="card" p="lg">
              <Stack gap="sm">
                <Group>
                  <Title order={2}>{data.name}</Title>
                  <Badge variant="light" tt="capitalize">
                    {data.plan}
                  </Badge>
                </Group>
                <Text size="sm" c="dimmed">
                  {t('account.since', { date: date(data.created_at) })}
                </Text>
                <Copyable value={data.id} name={t('account.id')} />
                <Group gap="xs">
                  {features.map((feature) => (
                    <Badge key={feature} variant={data.features.includes(feature) ? 'light' : 'default'} tt="none">
                      {t(`account.feature.${feature}`)}:{' '}
                      {t(data.features.includes(feature) ? 'account.included' : 'account.notIncluded')}
                    </Badge>
                  ))}
                </Group>
              </Stack>
            </Paper>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
              {quotaNames.map((name) => (
                <Quota
                  key={name}
                  label={t(`account.quota.${name}`)}
                  use={data.quotas[name]}
                  format={name.endsWith('_bytes') ? bytes : number}
                />
              ))}
            </SimpleGrid>
            {isPerson && <Protection />}
          </>
        )}
      </QueryView>
    </Stack>
  );
}

function Quota(props: { label: string; use: QuotaUse; format: (amount: number) => string }) {
  const { t } = useI18n();
  const { label, format } = props;
  const { used, limit } = props.use;
  const share = limit === null ? 0 : limit === 0 ? 100 : (100 * used) / limit;
  return (
    <Paper className="card" p="lg">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={700}>
        {format(used)}{' '}
        <Text span c="dimmed">
          {limit === null ? t('account.unlimited') : t('account.of', { limit: format(limit) })}
        </Text>
      </Text>
      {limit !== null && (
        <Progress mt="sm" value={share} color={share > 90 ? 'yellow.6' : 'brand.6'} aria-label={label} />
      )}
    </Paper>
  );
}
