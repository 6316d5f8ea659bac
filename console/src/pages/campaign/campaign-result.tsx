import { Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DynamicLink } from 'signpost-client';
import { Copyable } from '../../components/copyable';
import { PageHead } from '../../components/page-head';
import { RowTable } from '../../components/row-table';
import { ButtonLink } from '../../components/router-links';
import { useI18n } from '../../i18n/i18n';
import { QrCodesButton } from '../../qr/qr-codes-button';

/** Shows the links of a new campaign, with their QR codes for print. */
export function CampaignResult({ projectId, name, links }: { projectId: string; name: string; links: DynamicLink[] }) {
  const { t, counted } = useI18n();
  return (
    <Stack gap="lg">
      <PageHead title={name} lead={counted('campaign.created', links.length)}>
        <Group gap="xs">
          <ButtonLink
            variant="default"
            to="/projects/$projectId/links"
            params={{ projectId }}
            search={{ tag: name.slice(0, 50) }}
          >
            {t('notFound.toLinks')}
          </ButtonLink>
          <QrCodesButton links={links} fileName={name} variant="filled" />
        </Group>
      </PageHead>
      <Paper className="card">
        <RowTable
          label={name}
          heads={[t('links.name'), t('links.url'), t('link.parameters')]}
          rows={links.map((link) => ({
            key: link.id,
            cells: [
              <Link
                className="row-link"
                to="/projects/$projectId/links/$linkId"
                params={{ projectId, linkId: link.id }}
              >
                {link.name}
              </Link>,
              <Copyable value={link.full_url} name={link.full_url} />,
              <Text size="sm" className="mono">
                {String(new URLSearchParams(link.referrer_params ?? {})).replaceAll('&', ' ')}
              </Text>,
            ],
          }))}
        />
      </Paper>
    </Stack>
  );
}
