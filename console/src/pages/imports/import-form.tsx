import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** Submits a form without a reload, and moves the focus to the first field with a fault. */
export function ImportForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        onSubmit();
        setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      }}
    >
      <Stack gap="lg">{children}</Stack>
    </form>
  );
}
