import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n';

export interface FunnelStep {
  name: string;
  count: number;
  notes: string[];
}

/** Shows steps as bars, each with its share of `whole`. */
export function FunnelSteps({
  title,
  steps,
  whole,
  children,
}: {
  title: string;
  steps: FunnelStep[];
  whole: number;
  children: ReactNode;
}) {
  const { number, percent } = useI18n();
  const largest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <Paper className="card" p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Stack component="ol" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
          {steps.map(({ name, count, notes }, at) => (
            <li key={`${at} ${name}`} className="bar">
              <span className="fill" style={{ width: `${(100 * count) / largest}%` }} />
              <span className="name">{name}</span>
              <span className="value">
                {notes.map((note) => (
                  <Text span size="sm" c="dimmed" mr="sm" key={note}>
                    {note}
                  </Text>
                ))}
                {number(count)}{' '}
                {at > 0 && whole > 0 && (
                  <Text span size="sm" c="dimmed">
                    {percent(count / whole)}
                  </Text>
                )}
              </span>
            </li>
          ))}
        </Stack>
        {children}
      </Stack>
    </Paper>
  );
}
