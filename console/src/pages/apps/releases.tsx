import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AndroidAppRelease, IosAppRelease } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { analyticsQuery, releasesQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { showError } from '../../components/show-error';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';

interface ReleasesProps {
  projectId: string;
  appId: string;
  platform: 'ios' | 'android';
}

const setRetired = ({ projectId, appId, platform }: ReleasesProps, releaseId: string, retired: boolean) => {
  const options = { params: { path: { projectId, appId, releaseId } }, body: { retired } };
  return answerOf<unknown>(
    platform === 'ios'
      ? api.PUT('/projects/{projectId}/ios-apps/{appId}/releases/{releaseId}', options)
      : api.PUT('/projects/{projectId}/android-apps/{appId}/releases/{releaseId}', options),
  );
};

/** Lists the released versions of an app, and retires those that nobody uses. */
export function Releases(props: ReleasesProps) {
  const { t, date, percent } = useI18n();
  const client = useQueryClient();
  const query = releasesQuery(props.projectId, props.platform, props.appId);
  const releases = useQuery(query);
  const { platform } = props;
  // The last 30 days, which is the default. Without the numbers, the versions are shown alone.
  const opens = useQuery(
    analyticsQuery(props.projectId, null, { metric: 'opens', group_by: 'version', platform: [platform] }),
  ).data;
  const shareOf = (version: string) => {
    const { clicks } = opens?.groups?.find(({ value }) => value === version) ?? { clicks: 0 };
    return opens && opens.totals.clicks > 0
      ? ` · ${t('releases.opens', { share: percent(clicks / opens.totals.clicks) })}`
      : '';
  };
  const change = useMutation({
    mutationFn: ({ id, retired }: IosAppRelease | AndroidAppRelease) => setRetired(props, id, !retired),
    onSuccess: () => client.invalidateQueries({ queryKey: query.queryKey }),
    onError: (error) => showError(t('releases.title'), error),
  });
  return (
    <Stack gap="xs">
      <Title order={3}>{t('releases.title')}</Title>
      <QueryView query={releases} height={40}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('releases.none')}
            </Text>
          ) : (
            <>
              {all.map((release) => (
                <Group key={release.id} justify="space-between" wrap="nowrap">
                  <div>
                    <Group gap="xs">
                      <Text fw={600}>{release.version}</Text>
                      {release.retired && <Badge color="gray">{t('releases.retired')}</Badge>}
                    </Group>
                    <Text size="sm" c="dimmed">
                      {release.hosts.join(', ')} · {date(release.created_at)}
                      {shareOf(release.version)}
                    </Text>
                  </div>
                  <ActionButton
                    operation={props.platform === 'ios' ? 'updateIosAppRelease' : 'updateAndroidAppRelease'}
                    variant="default"
                    size="xs"
                    loading={change.isPending && change.variables.id === release.id}
                    onClick={() => change.mutate(release)}
                  >
                    {t(release.retired ? 'releases.restore' : 'releases.retire')}
                  </ActionButton>
                </Group>
              ))}
            </>
          )
        }
      </QueryView>
    </Stack>
  );
}
