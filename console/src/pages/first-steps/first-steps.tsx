import { Badge, Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Project } from 'signpost-client';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { androidAppsQuery, customDomainsQuery, iosAppsQuery, linksQuery } from '../../api/queries';
import { BlobImage } from '../../components/blob-image';
import { ButtonLink } from '../../components/router-links';
import { PhoneTestButton } from '../../qr/phone-test-button';
import { useI18n } from '../../i18n/i18n';

/** Leads through what a project without visitors needs. Each step says whether it is done. */
export default function FirstSteps({ project }: { project: Project }) {
  const { t } = useI18n();
  const { id: projectId } = project;
  const params = { projectId };
  const links = useQuery(linksQuery(projectId, { limit: 1 })).data;
  const ios = useQuery(iosAppsQuery(projectId)).data;
  const android = useQuery(androidAppsQuery(projectId)).data;
  const domains = useQuery(customDomainsQuery(projectId)).data;
  if (!links || !ios || !android || !domains) return null;
  const link = links.data[0];
  const hasApp = ios.data.length + android.data.length > 0;
  const host = link ? new URL(link.full_url).host : project.subdomain;
  return (
    <Paper className="card" p="lg" component="section" aria-label={t('steps.title')}>
      <Title order={2}>{t('steps.title')}</Title>
      <Text c="dimmed" size="sm">
        {t('steps.lead')}
      </Text>
      <Stack component="ol" className="steps" gap="md" mt="md">
        <Step
          isDone={link !== undefined}
          title={t('steps.link')}
          text={t('steps.linkText')}
          action={
            <ButtonLink operation="createDynamicLink" to="/projects/$projectId/links/new" params={params} size="xs">
              {t('links.new')}
            </ButtonLink>
          }
        />
        <Step
          isDone={false}
          title={t('steps.phone')}
          text={t(!link ? 'steps.phoneLater' : hasApp ? 'steps.phoneTestText' : 'steps.phoneText')}
        >
          {/* The test is about apps. */}
          {link && !hasApp && <LinkCode projectId={projectId} linkId={link.id} url={link.full_url} />}
          {link && hasApp && (
            <Box mt="sm">
              <PhoneTestButton projectId={projectId} linkId={link.id} url={link.full_url} />
            </Box>
          )}
        </Step>
        <Step
          isDone={hasApp}
          title={t('steps.app')}
          text={t('steps.appText')}
          action={
            <ButtonLink
              operation="createIosApp"
              to="/projects/$projectId/apps"
              params={params}
              size="xs"
              variant="default"
            >
              {t('apps.add')}
            </ButtonLink>
          }
        />
        <Step
          isDone={domains.data.length > 0}
          title={t('steps.domain')}
          text={t('steps.domainText', { host })}
          action={
            <ButtonLink
              operation="createCustomDomain"
              to="/projects/$projectId/domains"
              params={params}
              size="xs"
              variant="default"
            >
              {t('domains.add')}
            </ButtonLink>
          }
        />
        <Step
          isDone={false}
          title={t('steps.import')}
          text={t('steps.importText')}
          action={
            <ButtonLink
              operation="createImport"
              to="/projects/$projectId/imports/new"
              params={params}
              size="xs"
              variant="default"
            >
              {t('imports.new')}
            </ButtonLink>
          }
        />
      </Stack>
    </Paper>
  );
}

function Step({
  isDone,
  title,
  text,
  action,
  children,
}: {
  isDone: boolean;
  title: string;
  text: string;
  action?: ReactNode;
  children?: ReactNode;
}) {
  const { t } = useI18n();
  return (
    <li>
      <Group justify="space-between">
        <div>
          <Group gap="xs">
            <Text fw={600}>{title}</Text>
            {isDone && (
              <Badge color="green" variant="light" tt="none">
                {t('steps.done')}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
        {!isDone && action}
      </Group>
      {children}
    </li>
  );
}

function LinkCode({ projectId, linkId, url }: { projectId: string; linkId: string; url: string }) {
  const { t } = useI18n();
  const code = useQuery({
    queryKey: ['project', projectId, 'qr-code', linkId, url, 'first-steps'],
    queryFn: () =>
      answerOf(
        api.GET('/projects/{projectId}/links/{linkId}/qr-code', {
          params: { path: { projectId, linkId }, query: { format: 'svg' } },
          parseAs: 'blob',
        }),
      ),
  });
  if (!code.data) return null;
  return <BlobImage content={code.data} alt={t('qr.alt', { url })} width={160} height={160} className="step-code" />;
}
