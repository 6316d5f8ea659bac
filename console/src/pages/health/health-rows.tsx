import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Runbook } from './runbook';

export function HealthRows({ children }: { children: ReactNode }) {
  return (
    <Stack component="ul" gap="xs" p="md" pt={0} m={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  );
}

/**
 * Shows the name of something and its state.
 * @param runbook the page that says what to do; null if nobody needs to act
 */
export function HealthRow({ name, runbook, children }: { name: string; runbook: string | null; children: ReactNode }) {
  return (
    <Group component="li" justify="space-between" gap="xs">
      <Text fw={600}>{name}</Text>
      <Group gap="sm">
        {children}
        {runbook !== null && <Runbook runbook={runbook} />}
      </Group>
    </Group>
  );
}
