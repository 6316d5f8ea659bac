import { Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** Shows the heading of a page with its actions, and names the tab of the browser. */
export function PageHead({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  useDocumentTitle(`${title} – Signpost`);
  return (
    <header className="page-head">
      <div>
        <Title order={1}>{title}</Title>
        {lead !== undefined && (
          <Text c="dimmed" component="div">
            {lead}
          </Text>
        )}
      </div>
      {children}
    </header>
  );
}
