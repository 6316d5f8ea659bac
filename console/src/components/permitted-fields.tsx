import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Operation, useRefusal } from '../session/use-refusal';

/** Disables fields that the caller may not change, and says why. */
export function PermittedFields({ operation, children }: { operation: Operation; children: ReactNode }) {
  const refusal = useRefusal(operation);
  return (
    <Stack>
      {refusal !== null && <Alert color="gray">{refusal}</Alert>}
      <fieldset className="pending-fields permitted-fields" disabled={refusal !== null}>
        {children}
      </fieldset>
    </Stack>
  );
}
