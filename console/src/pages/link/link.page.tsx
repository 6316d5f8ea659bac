import { Anchor, Button, Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { answerOf, api } from '../../api/client';
import { linkQuery } from '../../api/queries';
import { Confirm, type Confirmation } from '../../components/confirm';
import { CopyButton } from '../../components/copy-button';
import { IconCopy, IconExternalLink, IconHistory, IconTrash } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { ButtonLink } from '../../components/router-links';
import { QueryView } from '../../components/query-view';
import { useAbortOnUnmount } from '../../components/use-abort-on-unmount';
import { useAddressState } from '../../components/use-address-state';
import { useI18n } from '../../i18n/i18n';
import { PhoneTestButton } from '../../qr/phone-test-button';
import { LinkEditor } from './link-editor';
import { LinkLife } from './link-life';
import { linkSearch, type LinkTab, linkTabs } from './link-search';

const QrDesigner = lazy(() => import('./qr-designer'));
const ShortLinks = lazy(() => import('./short-links'));
const LinkClicks = lazy(() => import('./link-clicks'));

const route = '/projects/$projectId/links/$linkId';

/** Shows one link: its settings with previews, its QR code, its short links and its clicks. */
export function LinkPage() {
  const { t } = useI18n();
  const params = useParams({ from: route });
  const { tab = 'settings' } = useAddressState(linkSearch);
  const navigate = useNavigate({ from: route });
  const client = useQueryClient();
  const abortOnUnmount = useAbortOnUnmount();
  const link = useQuery(linkQuery(params.projectId, params.linkId));
  // The editor stays with its changes and its undo, and is not loaded for another tab before.
  const [isEdited, setEdited] = useState(false);
  if (tab === 'settings' && !isEdited) setEdited(true);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);

  const remove = (name: string): void =>
    setConfirmation({
      title: t('link.deleteTitle', { name }),
      text: t('links.deleteText'),
      action: t('links.delete'),
      run: async () => {
        const left = abortOnUnmount();
        await answerOf(api.DELETE('/projects/{projectId}/links/{linkId}', { params: { path: params } }));
        void client.invalidateQueries({ queryKey: ['project', params.projectId, 'links'] });
        void client.invalidateQueries({ queryKey: ['projects'] });
        void client.invalidateQueries({ queryKey: ['account'] });
        if (!left.aborted) await navigate({ to: '/projects/$projectId/links', params, ignoreBlocker: true });
        // After its page, which would read them again.
        client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(params.linkId) });
      },
    });

  return (
    <QueryView
      query={link}
      height={600}
      head={(isMissing) => (
        <PageHead title={t(isMissing ? 'notFound.link' : 'fault.title')}>
          <ButtonLink variant="default" to="/projects/$projectId/links" params={{ projectId: params.projectId }}>
            {t('notFound.toLinks')}
          </ButtonLink>
        </PageHead>
      )}
    >
      {({ value, etag }) => (
        <Stack gap="lg">
          <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
          <PageHead
            title={value.name}
            lead={
              <Group gap={4} wrap="nowrap">
                <Anchor className="mono" href={value.full_url} target="_blank" rel="noreferrer">
                  {value.full_url}
                </Anchor>
                <CopyButton value={value.full_url} name={t('links.url')} />
              </Group>
            }
          >
            <Group gap="xs">
              <Button
                variant="default"
                component="a"
                href={value.full_url}
                target="_blank"
                rel="noreferrer"
                leftSection={<IconExternalLink size={16} aria-hidden />}
              >
                {t('link.open')}
              </Button>
              <PhoneTestButton projectId={params.projectId} linkId={value.id} url={value.full_url} />
              <ButtonLink
                operation="createDynamicLink"
                variant="default"
                to="/projects/$projectId/links/new"
                params={{ projectId: params.projectId }}
                search={{ copy: value.id }}
                leftSection={<IconCopy size={16} aria-hidden />}
              >
                {t('link.duplicate')}
              </ButtonLink>
              <ButtonLink
                variant="default"
                to="/projects/$projectId/history"
                params={{ projectId: params.projectId }}
                search={{ resource: value.id }}
                leftSection={<IconHistory size={16} aria-hidden />}
              >
                {t('nav.history')}
              </ButtonLink>
              <ActionButton
                operation="deleteDynamicLink"
                variant="default"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => remove(value.name)}
              >
                {t('links.delete')}
              </ActionButton>
            </Group>
          </PageHead>
          <LinkLife projectId={params.projectId} link={value} />
          <Tabs
            value={tab}
            onChange={(next) =>
              void navigate({ search: (before) => ({ ...before, tab: next as LinkTab }), replace: true })
            }
            keepMounted={false}
            // The default mode removes the effects of what is hidden, and with them the undo.
            keepMountedMode="display-none"
          >
            <Tabs.List>
              {linkTabs.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {t(`link.tab.${name}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Suspense fallback={<Skeleton height={400} mt="md" radius="lg" />}>
              <Tabs.Panel value="settings" pt="md" keepMounted={isEdited}>
                <LinkEditor key={value.id} projectId={params.projectId} link={value} etag={etag} />
              </Tabs.Panel>
              <Tabs.Panel value="qr" pt="md">
                <QrDesigner key={value.full_url} link={value} />
              </Tabs.Panel>
              <Tabs.Panel value="short-links" pt="md">
                <ShortLinks projectId={params.projectId} linkId={value.id} />
              </Tabs.Panel>
              <Tabs.Panel value="clicks" pt="md">
                <LinkClicks projectId={params.projectId} linkId={value.id} />
              </Tabs.Panel>
            </Suspense>
          </Tabs>
        </Stack>
      )}
    </QueryView>
  );
}
