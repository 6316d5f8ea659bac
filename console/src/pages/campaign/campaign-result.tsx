import { Group, Paper, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DynamicLink } from 'signpost-client';
import { Copyable } from '../../components/copyable';
import { PageHead } from '../../components/page-head';
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
        <div className="scroll-x" role="region" aria-label={name} tabIndex={0}>
          <Table className="stacked">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('links.name')}</Table.Th>
                <Table.Th>{t('links.url')}</Table.Th>
                <Table.Th>{t('link.parameters')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {links.map((link) => (
                <Table.Tr key={link.id}>
                  <Table.Td>
                    <Link
                      className="row-link"
                      to="/projects/$projectId/links/$linkId"
                      params={{ projectId, linkId: link.id }}
                    >
                      {link.name}
                    </Link>
                  </Table.Td>
                  <Table.Td>
                    <Copyable value={link.full_url} name={link.full_url} />
                  </Table.Td>
                  <Table.Td>
                    <Text size="sm" className="mono">
                      {String(new URLSearchParams(link.referrer_params ?? {})).replaceAll('&', ' ')}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </Paper>
    </Stack>
  );
}
