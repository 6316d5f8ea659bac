import { Badge } from '@mantine/core';
import type { HostState } from './host-checks';

const colors = { good: 'brand', soon: 'yellow', bad: 'red.9', unknown: 'gray' } as const;

/** Shows the result of a check. */
export function StateBadge({ state, text }: { state: HostState; text: string }) {
  return (
    <Badge
      color={colors[state]}
      variant={{ good: 'light', soon: 'light', bad: 'filled', unknown: 'default' }[state]}
      tt="none"
    >
      {text}
    </Badge>
  );
}
