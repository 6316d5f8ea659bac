import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { focusFirstFault } from '../../components/form-error';
import type { ImportRules, Source } from './import-sources';

/** The properties that imports of files and of APIs share. They stay when somebody chooses the other. */
export interface NewImport<Chosen extends Source> {
  projectId: string;
  source: Chosen;
  onSource: (source: Chosen) => void;
  rules: ImportRules;
  onRules: (rules: ImportRules) => void;
  mutationKey: readonly string[];
  /** The import whose form is changed, which the new one replaces. */
  from?: string | undefined;
}

/** Submits a form without a reload, and moves the focus to the first field with a fault. */
export function ImportForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        onSubmit();
        setTimeout(() => focusFirstFault(form));
      }}
    >
      <Stack gap="lg">{children}</Stack>
    </form>
  );
}
