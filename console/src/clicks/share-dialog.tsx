import { ActionIcon, Alert, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreatedShare, Share } from 'signpost-client';
import { useState } from 'react';
import { answerOf, api } from '../api/client';
import { sharesQuery } from '../api/queries';
import type { Confirmation } from '../components/confirm';
import { Copyable } from '../components/copyable';
import { IconTrash } from '../components/icons';
import { PagedTable } from '../components/paged-table';
import { useI18n } from '../i18n/i18n';
import { useRefusals } from '../session/use-refusal';
import { shownEnd } from './share-end';
import { ShareForm } from './share-form';

/** Creates pages with statistics for people without an account, lists them, and ends them. */
export default function ShareDialog({
  projectId,
  linkId,
  tag,
  timezone,
  onConfirmation,
}: {
  projectId: string;
  linkId: string | null;
  /** The tag that the statistics are filtered by. */
  tag: string | null;
  timezone: string;
  onConfirmation: (confirmation: Confirmation) => void;
}) {
  const { t, dateTime } = useI18n();
  const client = useQueryClient();
  const refusals = useRefusals();
  const [page, setPage] = useState(1);
  const [openedAt] = useState(Date.now);
  const [created, setCreated] = useState<CreatedShare | null>(null);
  const shares = useQuery(sharesQuery(projectId, page));
  const reload = () => client.invalidateQueries({ queryKey: ['project', projectId, 'shares'] });
  const revoke = ({ id, name }: Share): void =>
    onConfirmation({
      title: t('shares.revokeTitle', { name }),
      text: t('shares.revokeText'),
      action: t('shares.revoke'),
      run: async () => {
        await answerOf(
          api.DELETE('/projects/{projectId}/shares/{shareId}', { params: { path: { projectId, shareId: id } } }),
        );
        setCreated((shown) => (shown?.id === id ? null : shown));
        await reload();
      },
    });
  const subjectOf = ({ dynamic_link_id: link, tag_id: ofTag }: Share): string =>
    t(link !== null ? 'shares.ofLink' : ofTag !== null ? 'shares.ofTag' : 'shares.ofProject');
  const isOver = ({ expires_at: end }: Share): boolean => Date.parse(end) <= openedAt;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('shares.lead')}
      </Text>
      <ShareForm
        projectId={projectId}
        linkId={linkId}
        tag={tag}
        timezone={timezone}
        onCreated={(share) => {
          setCreated(share);
          void reload();
        }}
      />
      {created && (
        <Alert color="brand" title={t(created.url === null ? 'shares.lost' : 'shares.created')} role="status">
          {created.url === null ? (
            t('shares.lostText')
          ) : (
            <>
              <Copyable value={created.url} name={t('shares.address')} />
              <Text size="sm">{t('shares.once', { end: dateTime(shownEnd(created.expires_at, timezone)) })}</Text>
            </>
          )}
        </Alert>
      )}
      {shares.data !== undefined && shares.data.pagination.total > 0 && (
        <>
          <Title order={3} size="h5">
            {t('shares.list')}
          </Title>
          <PagedTable
            query={shares}
            label={t('shares.list')}
            heads={[t('shares.name'), t('shares.content'), t('shares.end')]}
            empty={null}
            onPage={setPage}
            rowOf={(share) => ({
              cells: [
                share.name,
                [subjectOf(share), ...(share.has_password ? [t('shares.password')] : [])].join(', '),
                isOver(share) ? t('shares.over') : dateTime(shownEnd(share.expires_at, timezone)),
              ],
              actions: refusals('deleteShare') === null && (
                <ActionIcon
                  variant="subtle"
                  onClick={() => revoke(share)}
                  aria-label={t('shares.revokeName', { name: share.name })}
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              ),
            })}
          />
        </>
      )}
    </Stack>
  );
}
