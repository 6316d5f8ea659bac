import { Group, Stack, Text } from '@mantine/core';
import { CopyButton } from './copy-button';

/** Shows lines to paste into a file or a terminal. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton value={text} name={label} />
      </Group>
      <pre className="snippet">{text}</pre>
    </Stack>
  );
}
