import { Badge, Code, Group, Paper, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { components } from 'signpost-client';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { errorsAtFields } from '../../api/errors-at-fields';
import { type ExplainedLink, type ExplainFilter, explainQuery } from '../../api/queries';
import { ErrorText } from '../../components/error-text';
import { QueryView } from '../../components/query-view';
import { type I18n, useI18n } from '../../i18n/i18n';
import { isMessageKey } from '../../i18n/text';
import { RuleFindings } from '../../rules/rule-findings';

type Explanation = components['schemas']['Explanation'];

/** Returns what a rule found, in the reader's language. A finding that this console does not know has the words of the service. */
function reasonOf({ rule, finding, reason }: Explanation['steps'][number], t: I18n['t']): string {
  const key = `visit.reason.${rule}.${finding}`;
  return isMessageKey(key) ? t(key) : reason;
}

const visitors = {
  ios: { platform: 'ios' },
  android: { platform: 'android' },
  desktop: { platform: 'desktop' },
  messenger: { user_agent: 'WhatsApp/2.23.20.0' },
  inApp: { platform: 'ios', in_app_browser: true },
} as const satisfies Record<string, ExplainFilter>;

type Visitor = keyof typeof visitors;
const names = Object.keys(visitors) as Visitor[];

/** Waits until the reader pauses, so that typing sends few requests. */
export const previewDelayMs = 400;

/**
 * Shows what visitors get, by the rules that serve visits. Of a link that cannot be saved, it shows the last state that can.
 * @param link a constant object while the fields stay the same; null if a new link has too few fields
 * @param onChecked receives the messages by field after each check
 */
export function VisitPreview({
  projectId,
  link,
  onChecked,
}: {
  projectId: string;
  link: ExplainedLink | null;
  onChecked: (errors: Record<string, string>) => void;
}) {
  const i18n = useI18n();
  const { t } = i18n;
  const [visitor, setVisitor] = useState<Visitor>('ios');
  const [valid, setValid] = useState<ExplainedLink | null>(null);
  const [typed, setTyped] = useState('');
  const [version] = useDebouncedValue(typed.trim(), previewDelayMs);
  const filter: ExplainFilter = { ...visitors[visitor], ...(version !== '' && { app_version: version }) };
  const current = useQuery(explainQuery(projectId, link, filter));
  const isChecked = link !== null && !current.isPending && !current.isPlaceholderData;
  if (isChecked && current.isSuccess && valid !== link) setValid(link);
  const isOutdated = valid !== null && (link === null || (isChecked && current.isError));
  const last = useQuery(explainQuery(projectId, isOutdated ? valid : null, filter));
  const errors = useMemo(() => errorsAtFields(current.error, i18n), [current.error, i18n]);
  const isRefused = current.isError && Object.keys(errors).length > 0;
  // The view of the query below shows its error itself.
  const isShownBelow = valid === link;
  const report = useEffectEvent(onChecked);
  useEffect(() => {
    if (isChecked) report(errors);
  }, [isChecked, errors]);

  return (
    <Paper className="card" p="lg">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{t('visit.title')}</Title>
          {isOutdated ? (
            <Badge color="yellow" variant="light" tt="none">
              {t('visit.outdated')}
            </Badge>
          ) : (
            valid?.body && (
              <Badge variant="light" tt="none">
                {t('visit.unsaved')}
              </Badge>
            )
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
        {visitor !== 'desktop' && (
          <TextInput
            label={t('visit.version')}
            description={t('visit.versionHint')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            maxLength={50}
            size="xs"
          />
        )}
        <div role="status">
          {isRefused && <Text size="sm">{t('visit.correct')}</Text>}
          {isOutdated && !isRefused && !isShownBelow && current.error && <ErrorText error={current.error} />}
          {link === null && <Text c="dimmed">{t('visit.nameFirst')}</Text>}
        </div>
        {(valid !== null || (link !== null && !isRefused)) && (
          <QueryView query={isOutdated ? last : current} height={260}>
            {(data) => <Outcome explanation={data} isOutdated={isOutdated} version={version} />}
          </QueryView>
        )}
      </Stack>
    </Paper>
  );
}

interface OutcomeProps {
  explanation: Explanation;
  isOutdated: boolean;
  /** The installed version that the reader asks for; empty for none. */
  version: string;
}

function Outcome({ explanation, isOutdated, version }: OutcomeProps) {
  const { t } = useI18n();
  const { answer, steps, visitor } = explanation;
  const apps = explanation.apps.filter(({ platform }) => platform === visitor.platform);
  const decided = steps.filter(({ outcome }) => outcome !== 'passed');
  return (
    <Stack gap="sm" aria-live="polite">
      <div className="phone" data-outdated={isOutdated}>
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
        {explanation.open?.app_data && (
          <Text size="sm">
            {t('visit.appData')} <Code>{JSON.stringify(explanation.open.app_data)}</Code>
          </Text>
        )}
        {answer.issues_token && <Text size="sm">{t('visit.token')}</Text>}
      </div>
      {version !== '' && visitor.platform !== 'desktop' && <Releases explanation={explanation} version={version} />}
      <details>
        <summary>{t('visit.why')}</summary>
        <Stack gap={6} mt="xs">
          <RuleFindings rules={explanation.rules} />
          {decided.map((step) => (
            <Text key={step.rule} size="sm" fw={step.outcome === 'taken' ? 600 : undefined}>
              <Code>{t(`visit.rule.${step.rule}`)}</Code> {reasonOf(step, t)}
            </Text>
          ))}
        </Stack>
      </details>
    </Stack>
  );
}

/** Shows whether an installed version opens the link, by its record. */
function Releases({ explanation, version }: Omit<OutcomeProps, 'isOutdated'>) {
  const { t } = useI18n();
  const { releases, url } = explanation;
  if (releases.length === 0) return <Text size="sm">{t('visit.release.none', { version })}</Text>;
  return releases.map((release) => (
    <div key={release.app_id}>
      <Text size="sm" fw={600}>
        {t(release.opens ? 'visit.release.opens' : 'visit.release.stays', { version, host: new URL(url).host })}
      </Text>
      {release.steps.map(({ check, passed }) => (
        <Text key={check} size="sm" c={passed ? 'dimmed' : undefined}>
          {t(`visit.release.${check}.${passed ? 'yes' : 'no'}`)}
        </Text>
      ))}
    </div>
  ));
}
