import { Group } from '@mantine/core';
import { CopyButton } from './copy-button';

/** Shows a value as it must be entered elsewhere, with a button that copies it. */
export function Copyable({ value, name }: { value: string; name: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span className="mono">{value}</span>
      <CopyButton value={value} name={name} />
    </Group>
  );
}
