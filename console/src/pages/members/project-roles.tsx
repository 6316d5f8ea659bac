import { ActionIcon, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../../api/queries';
import { IconX } from '../../components/icons';
import { useI18n } from '../../i18n/i18n';

const roles = ['viewer', 'editor', 'admin'] as const;

export type ProjectRoles = Record<string, (typeof roles)[number]>;

/** Gives a person roles in single projects. */
export function ProjectRolesFields({
  value,
  onChange,
}: {
  value: ProjectRoles;
  onChange: (next: ProjectRoles) => void;
}) {
  const { t } = useI18n();
  const projects = useQuery(projectsQuery()).data?.data ?? [];
  const nameOf = (id: string): string => projects.find((project) => project.id === id)?.name ?? id;
  const others = projects.filter(({ id }) => value[id] === undefined);
  const without = (id: string): ProjectRoles => Object.fromEntries(Object.entries(value).filter(([one]) => one !== id));
  return (
    <Stack gap="xs" role="group" aria-label={t('members.projectRoles')}>
      <div>
        <Text size="sm" fw={500}>
          {t('members.projectRoles')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('members.projectRolesHint')}
        </Text>
      </div>
      {Object.entries(value).map(([id, role]) => (
        <Group key={id} gap="xs" wrap="nowrap" align="flex-end">
          <Select
            label={t('members.roleIn', { project: nameOf(id) })}
            data={roles.map((one) => ({ value: one, label: t(`role.${one}`) }))}
            value={role}
            onChange={(next) => onChange({ ...value, [id]: next! })}
            allowDeselect={false}
            flex={1}
          />
          <ActionIcon
            variant="subtle"
            size={36}
            aria-label={t('members.removeProject', { project: nameOf(id) })}
            onClick={() => onChange(without(id))}
          >
            <IconX size={18} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {others.length > 0 && (
        <Select
          aria-label={t('members.addProject')}
          placeholder={t('members.addProject')}
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          // A choice adds a row, so that the field stays empty.
          value={null}
          onChange={(id) => id !== null && onChange({ ...value, [id]: 'viewer' })}
          searchable
          // The focus comes here after a removal. An open list would cover the buttons.
          openOnFocus={false}
        />
      )}
    </Stack>
  );
}
