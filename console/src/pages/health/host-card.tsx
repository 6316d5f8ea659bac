import { Anchor, Badge, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { DynamicLink } from 'signpost-client';
import { IconExternalLink } from '../../components/icons';
import { PhoneTestButton } from '../../qr/phone-test-button';
import { useI18n } from '../../i18n/i18n';
import { ProblemList } from '../apps/problem-list';
import type { AssociationProblem } from '../apps/platform';
import { StateBadge } from './state-badge';
import { type CheckedHost, hostChecks, publicCopies } from './host-checks';

const checks = ['dns', 'certificate', 'ios', 'android'] as const;

/** Returns the address of a link on another host of its project. */
const onHost = (url: string, host: string): string => Object.assign(new URL(url), { host }).href;

/** Shows a host with its checks, its problems, and the copies that Apple and Google have. */
export function HostCard({
  projectId,
  checked,
  problems,
  link,
}: {
  projectId: string;
  checked: CheckedHost;
  problems: AssociationProblem[];
  /** A link of the project to test on a phone; undefined without one. */
  link: Pick<DynamicLink, 'id' | 'full_url'> | undefined;
}) {
  const { t, dateTime } = useI18n();
  const { host, kind, current, certificate_expires_at } = checked;
  const states = hostChecks(checked, problems);
  const copies = publicCopies(host);
  return (
    <Paper className="card" p="md">
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={3} size="h4" className="mono break">
            {host}
          </Title>
          <Badge variant="default" tt="none">
            {t(`health.kind.${kind}`)}
          </Badge>
          {current && (
            <Badge variant="light" tt="none">
              {t('health.current')}
            </Badge>
          )}
        </Group>
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          {checks.map((check) => (
            <div key={check}>
              <Text size="sm" fw={600}>
                {t(`health.check.${check}`)}
              </Text>
              <StateBadge state={states[check]} text={t(`health.hostState.${states[check]}`)} />
              {check === 'certificate' && certificate_expires_at !== null && (
                <Text size="sm" c="dimmed">
                  {t('health.expires', { time: dateTime(certificate_expires_at) })}
                </Text>
              )}
            </div>
          ))}
        </SimpleGrid>
        <ProblemList problems={problems.filter((problem) => problem.host === host)} appNames={new Map()} />
        {link && checked.answers && (
          <Group>
            <PhoneTestButton projectId={projectId} linkId={link.id} url={onHost(link.full_url, host)} />
          </Group>
        )}
        {copies && (
          <Group gap="md">
            {(['apple', 'google'] as const).map((owner) => (
              <Anchor key={owner} size="sm" href={copies[owner]} target="_blank" rel="noreferrer">
                {t(`health.copy.${owner}`)} <IconExternalLink size={14} aria-hidden />
              </Anchor>
            ))}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
