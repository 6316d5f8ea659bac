import { useState } from 'react';
import { ClicksView } from '../../clicks/clicks-view';
import type { ClicksSearch } from '../overview/overview-search';

export default function LinkClicks({ projectId, linkId }: { projectId: string; linkId: string }) {
  const [state, setState] = useState<ClicksSearch>({});
  return (
    <ClicksView
      projectId={projectId}
      linkId={linkId}
      state={state}
      onChange={(changes) => setState((before) => ({ ...before, ...changes }))}
    />
  );
}
