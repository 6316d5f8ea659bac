import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Icon } from './icons';

/** Says what a list will contain, and offers the first step. */
export function EmptyState({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon: Icon;
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <Stack align="center" ta="center" py="xl" px="md" gap="sm">
      <ThemeIcon variant="light" size={52} radius="xl">
        <Icon size={26} aria-hidden />
      </ThemeIcon>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw={460}>
        {text}
      </Text>
      {children}
    </Stack>
  );
}
