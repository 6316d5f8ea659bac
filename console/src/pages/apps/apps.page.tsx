import { Badge, Button, Group, Menu, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { androidAppsQuery, associationHealthQuery, iosAppsQuery } from '../../api/queries';
import { EmptyState } from '../../components/empty-state';
import { IconApps, IconBrandAndroid, IconBrandApple, IconPlus } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';
import { android as androidPlatform } from './android';
import { AppEditor, type EditedApp } from './app-editor';
import { AssociationHealth } from './association-health';
import { ios as iosPlatform } from './ios';

interface Edited extends EditedApp {
  platform: 'ios' | 'android';
}

/** Lists the apps of a project, and checks whether phones will open links in them. */
export function AppsPage() {
  const { t } = useI18n();
  const { projectId } = useParams({ from: '/projects/$projectId/apps' });
  const [edited, setEdited] = useState<Edited | null>(null);
  const ios = useQuery(iosAppsQuery(projectId));
  const android = useQuery(androidAppsQuery(projectId));
  const health = useQuery(associationHealthQuery(projectId, false));
  const problemsOf = (id: string) => health.data?.problems.filter(({ app_id }) => app_id === id) ?? [];
  const appNames = new Map(
    [...(ios.data?.data ?? []), ...(android.data?.data ?? [])].map(({ id, name }) => [id, name]),
  );
  const editorOf = (platform: Edited['platform']) => ({
    projectId,
    edited: edited?.platform === platform ? edited : null,
    problemsOf,
    // A late answer must not close the editor of another app.
    onClose: (closed: EditedApp) => setEdited((current) => (current === closed ? null : current)),
  });
  const addButton = useRef<HTMLButtonElement>(null);
  const addApp = (platform: Edited['platform']): void => {
    // The focus returns to what has it now, and the item of the menu is removed.
    addButton.current?.focus();
    setEdited({ platform, app: null });
  };
  const add = (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionButton ref={addButton} operation="createIosApp" leftSection={<IconPlus size={18} aria-hidden />}>
          {t('apps.add')}
        </ActionButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconBrandApple size={18} aria-hidden />} onClick={() => addApp('ios')}>
          {t('apps.ios')}
        </Menu.Item>
        <Menu.Item leftSection={<IconBrandAndroid size={18} aria-hidden />} onClick={() => addApp('android')}>
          {t('apps.android')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
  const isEmpty = ios.data?.pagination.total === 0 && android.data?.pagination.total === 0;
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.apps')} lead={t('apps.lead')}>
        {!isEmpty && add}
      </PageHead>
      <AppEditor platform={iosPlatform} {...editorOf('ios')} />
      <AppEditor platform={androidPlatform} {...editorOf('android')} />
      {isEmpty ? (
        <Paper className="card">
          <EmptyState icon={IconApps} title={t('apps.emptyTitle')} text={t('apps.emptyText')}>
            {add}
          </EmptyState>
        </Paper>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <QueryView query={ios}>
            {({ data }) => (
              <>
                {data.map((app) => (
                  <AppCard
                    key={app.id}
                    name={app.name}
                    id={`${app.team_id}.${app.bundle_id}`}
                    platform="ios"
                    problems={problemsOf(app.id).length}
                    onEdit={() => setEdited({ platform: 'ios', app })}
                  />
                ))}
              </>
            )}
          </QueryView>
          <QueryView query={android}>
            {({ data }) => (
              <>
                {data.map((app) => (
                  <AppCard
                    key={app.id}
                    name={app.name}
                    id={app.package_name}
                    platform="android"
                    problems={problemsOf(app.id).length}
                    onEdit={() => setEdited({ platform: 'android', app })}
                  />
                ))}
              </>
            )}
          </QueryView>
        </SimpleGrid>
      )}
      <AssociationHealth projectId={projectId} appNames={appNames} />
    </Stack>
  );
}

function AppCard({
  name,
  id,
  platform,
  problems,
  onEdit,
}: {
  name: string;
  id: string;
  platform: 'ios' | 'android';
  problems: number;
  onEdit: () => void;
}) {
  const { t, counted } = useI18n();
  const [Icon, system] = platform === 'ios' ? [IconBrandApple, 'iOS'] : [IconBrandAndroid, 'Android'];
  return (
    <Paper className="card" p="lg">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group wrap="nowrap" align="flex-start">
          <Icon size={26} aria-label={system} style={{ flex: 'none' }} />
          <Stack gap={4}>
            <Title order={2} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            <Text className="mono" size="sm" c="dimmed">
              {id}
            </Text>
            {problems > 0 && (
              <Badge color="yellow" variant="light" tt="none">
                {counted('apps.problems', problems)}
              </Badge>
            )}
          </Stack>
        </Group>
        <Button
          variant="default"
          size="xs"
          onClick={onEdit}
          style={{ flexShrink: 0 }}
          aria-label={t('apps.editName', { name, platform: system })}
        >
          {t('apps.edit')}
        </Button>
      </Group>
    </Paper>
  );
}
