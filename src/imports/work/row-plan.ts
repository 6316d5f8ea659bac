import type { ConflictPolicy } from '../model/import';
import type { PlannedLink, RowResult } from '../model/import-row';
import type { KnownLinks } from './known-links';

/** The link that a row describes. A path that is null is generated, or stays. An external id that is null stays. */
export type WantedLink = Omit<PlannedLink, 'id'>;

type Origin = WantedLink['origin'];

export type RowPlan = Pick<RowResult, 'outcome' | 'linkId' | 'problems' | 'link'>;

/** Decides what a row does to the links before it, and gives `known` the state after it. Dry run and run call it. */
export function planRow(target: WantedLink, known: KnownLinks, policy: ConflictPolicy, newId: () => string): RowPlan {
  const { path, externalId, digest, origin } = target;
  if (known.isTakenByOther(path)) return conflict(null, 'custom_path', 'is the path of a short link');
  const byId = known.withExternalId(externalId);
  const byPath = known.withPath(path);
  if (byId && byPath && byId.id !== byPath.id)
    return conflict(byId, 'external_id', 'and custom_path belong to different links');
  const met = byId ?? byPath;
  if (!met) return written('created', { ...target, id: newId() }, known);
  const after = {
    id: met.id,
    path: path ?? met.path,
    externalId: externalId ?? met.externalId,
    digest,
    origin: originAfter(met.origin, origin),
  };
  const hasSameFields = after.path === met.path && after.externalId === met.externalId && digest === met.digest;
  if (hasSameFields && (policy !== 'replace' || after.origin.originalClicks === met.origin.originalClicks))
    return { outcome: 'unchanged', linkId: met.id, problems: [], link: null };
  if (policy !== 'replace')
    return conflict(met, byId ? 'external_id' : 'custom_path', 'belongs to a link that differs');
  return written('replaced', after, known);
}

function written(outcome: 'created' | 'replaced', link: PlannedLink, known: KnownLinks): RowPlan {
  known.set(link);
  return { outcome, linkId: link.id, problems: [], link };
}

/** Returns the origin of a link that a row replaces. Only the system that it comes from gives it a new number of clicks. */
const originAfter = (met: Origin, target: Origin): Origin =>
  met.importedFrom !== null && met.importedFrom === target.importedFrom && target.originalClicks !== null
    ? target
    : met;

const conflict = (met: PlannedLink | null, field: string, reason: string): RowPlan => ({
  outcome: 'conflict',
  linkId: met?.id ?? null,
  problems: [{ field, reason: `${field} ${reason}` }],
  link: null,
});
