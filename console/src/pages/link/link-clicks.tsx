import { useNavigate } from '@tanstack/react-router';
import { ClicksView } from '../../clicks/clicks-view';
import { useAddressState } from '../../components/use-address-state';
import { linkSearch } from './link-search';

const route = '/projects/$projectId/links/$linkId';

/** Shows the clicks of a link. Period, time zone and bots are in the address. */
export default function LinkClicks({ projectId, linkId }: { projectId: string; linkId: string }) {
  const state = useAddressState(linkSearch);
  const navigate = useNavigate({ from: route });
  return (
    <ClicksView
      projectId={projectId}
      linkId={linkId}
      state={state}
      onChange={(changes) => void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })}
    />
  );
}
