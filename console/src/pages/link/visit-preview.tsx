import { Badge, Code, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { components } from 'signpost-client';
import { useState } from 'react';
import { type ExplainFilter, explainQuery } from '../../api/queries';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';

type Explanation = components['schemas']['Explanation'];

const visitors = {
  ios: { platform: 'ios' },
  android: { platform: 'android' },
  desktop: { platform: 'desktop' },
  messenger: { user_agent: 'WhatsApp/2.23.20.0' },
  inApp: { platform: 'ios', in_app_browser: true },
} as const satisfies Record<string, ExplainFilter>;

type Visitor = keyof typeof visitors;
const names = Object.keys(visitors) as Visitor[];

/** Shows where visitors get with the stored link, by the rules that serve visits. */
export function VisitPreview({ projectId, linkId, isDirty }: { projectId: string; linkId: string; isDirty: boolean }) {
  const { t } = useI18n();
  const [visitor, setVisitor] = useState<Visitor>('ios');
  const explanation = useQuery(explainQuery(projectId, linkId, visitors[visitor]));
  return (
    <Paper className="card" p="lg">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{t('visit.title')}</Title>
          {isDirty && (
            <Badge color="yellow" variant="light" tt="none">
              {t('visit.saveFirst')}
            </Badge>
          )}
        </Group>
        <SegmentedControl
          aria-label={t('visit.visitor')}
          data={names.map((value) => ({ value, label: t(`visit.${value}`) }))}
          value={visitor}
          onChange={(value) => setVisitor(value)}
          size="xs"
          fullWidth
        />
        <QueryView query={explanation} height={260}>
          {(data) => <Outcome explanation={data} />}
        </QueryView>
      </Stack>
    </Paper>
  );
}

function Outcome({ explanation }: { explanation: Explanation }) {
  const { t } = useI18n();
  const { answer, steps, visitor } = explanation;
  const apps = explanation.apps.filter(({ platform }) => platform === visitor.platform);
  const decided = steps.filter(({ outcome }) => outcome !== 'passed');
  return (
    <Stack gap="sm" aria-live="polite">
      <div className="phone">
        {apps.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('visit.withApp', { apps: apps.map(({ name }) => name).join(', ') })}
          </Text>
        )}
        {answer.page === null ? (
          <Stack gap={4}>
            <Text fw={600}>{t('visit.redirect')}</Text>
            <span className="mono">{answer.location}</span>
          </Stack>
        ) : (
          <Stack gap={6}>
            <Text size="sm" c="dimmed">
              {t('visit.page')}
            </Text>
            <Text fw={700} style={{ overflowWrap: 'anywhere' }}>
              {answer.page.title}
            </Text>
            {answer.page.description !== null && <Text size="sm">{answer.page.description}</Text>}
            {answer.page.links.map(({ role, url }) => (
              <Group key={`${role} ${url}`} gap={6} wrap="nowrap" align="baseline">
                <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
                  {t(`visit.role.${role}`)}
                </Badge>
                <Text className="mono" size="sm" lineClamp={2}>
                  {url}
                </Text>
              </Group>
            ))}
          </Stack>
        )}
        {answer.issues_token && <Text size="sm">{t('visit.token')}</Text>}
      </div>
      <details>
        <summary>{t('visit.why')}</summary>
        <Stack gap={6} mt="xs">
          {decided.map(({ rule, reason, outcome }) => (
            <Text key={rule} size="sm" fw={outcome === 'taken' ? 600 : undefined}>
              <Code>{rule}</Code> {reason}
            </Text>
          ))}
        </Stack>
      </details>
    </Stack>
  );
}
