import type { ConflictPolicy } from '../import-model/import';
import type { PlannedLink, PlannedOrigin, RowProblem } from '../import-model/import-row';
import type { KnownLinks } from './known-links';

/** The link that a row describes, as far as its outcome depends on it. */
export interface WantedLink {
  /** Null if the path shall be generated, or stay. */
  path: string | null;
  /** Null if the row names none. A link that has one keeps it. */
  externalId: string | null;
  digest: string;
  origin: PlannedOrigin;
}

/** The outcome of a row. */
export type RowPlan =
  | { outcome: 'created'; link: PlannedLink }
  | { outcome: 'replaced'; link: PlannedLink }
  | { outcome: 'unchanged'; link: PlannedLink }
  | { outcome: 'conflict'; link: PlannedLink | null; problem: RowProblem };

/**
 * Decides what a row does to the links before it, and gives `known` the state after it. Dry run and run call it.
 * @param newId returns the id of a created link
 */
export function planRow(wanted: WantedLink, known: KnownLinks, policy: ConflictPolicy, newId: () => string): RowPlan {
  const { path, externalId, digest, origin } = wanted;
  if (known.isTakenByOther(path)) return conflict(null, 'custom_path', 'is the path of a short link');
  const byId = known.withExternalId(externalId);
  const byPath = known.withPath(path);
  if (byId && byPath && byId.id !== byPath.id)
    return conflict(byId, 'external_id', 'and custom_path belong to different links');
  const met = byId ?? byPath;
  if (!met) {
    const link = { id: newId(), path, externalId, digest, origin };
    known.set(link);
    return { outcome: 'created', link };
  }
  const after = {
    id: met.id,
    path: path ?? met.path,
    externalId: externalId ?? met.externalId,
    digest,
    origin: originAfter(met.origin, origin),
  };
  const hasSameFields = after.path === met.path && after.externalId === met.externalId && digest === met.digest;
  if (hasSameFields && (policy !== 'replace' || after.origin.originalClicks === met.origin.originalClicks))
    return { outcome: 'unchanged', link: met };
  if (policy !== 'replace')
    return byId
      ? conflict(met, 'external_id', 'belongs to a link that differs')
      : conflict(met, 'custom_path', 'belongs to a link that differs');
  known.set(after);
  return { outcome: 'replaced', link: after };
}

/** Returns the origin of a link that a row replaces. Only the system that it comes from gives it a new number of clicks. */
const originAfter = (met: PlannedOrigin, wanted: PlannedOrigin): PlannedOrigin =>
  met.importedFrom !== null && met.importedFrom === wanted.importedFrom && wanted.originalClicks !== null
    ? wanted
    : met;

const conflict = (link: PlannedLink | null, field: string, reason: string): RowPlan => ({
  outcome: 'conflict',
  link,
  problem: { field, reason: `${field} ${reason}` },
});
