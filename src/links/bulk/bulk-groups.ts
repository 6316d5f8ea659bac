import type { LockedLink } from '../dynamic-links/dynamic-link.repository';
import type { DynamicLinkChanges } from '../dynamic-links/dynamic-link';
import { bulkKinds, fieldsOf, type Placed } from './bulk-operation';

export type ValidOperation = Placed<'create' | 'update' | 'delete'>;

/**
 * Returns groups of operations of one kind, which run one after the other. There is one of each kind if no operation depends on
 * another one. Otherwise they are neighbours.
 * @param links those of the project by id
 * @param isLimited whether a quota limits creations, so that a deletion may allow one
 */
export function groupsOf(
  operations: ValidOperation[],
  links: ReadonlyMap<string, LockedLink>,
  isLimited: boolean,
): ValidOperation[][] {
  if (areIndependent(operations, links, isLimited))
    return bulkKinds.map((kind) => operations.filter(({ op }) => op === kind));
  const groups: ValidOperation[][] = [];
  for (const operation of operations)
    if (groups.at(-1)?.[0]!.op === operation.op) groups.at(-1)!.push(operation);
    else groups.push([operation]);
  return groups;
}

/** Returns whether no operation names the link of another one, or takes a name or a place that another one takes or leaves. */
function areIndependent(
  operations: ValidOperation[],
  links: ReadonlyMap<string, LockedLink>,
  isLimited: boolean,
): boolean {
  const ids = operations.flatMap((operation) => ('id' in operation ? [operation.id] : []));
  const taken = operations.flatMap(fieldsOf).flatMap(namesOf);
  const changed = operations.flatMap((operation) => {
    const isChanged = operation.op === 'delete' || (operation.op === 'update' && setsName(operation.changes));
    return isChanged ? (links.get(operation.id) ?? []) : [];
  });
  const names = [...taken, ...changed.flatMap(namesOf)];
  const isDeletion = operations.some(({ op }) => op === 'delete');
  // The slugs that a deletion leaves are not known.
  const leavesSlugs = isDeletion && taken.length > 0 && changed.some(({ hasShortLinks }) => hasShortLinks);
  return (
    new Set(ids).size === ids.length &&
    new Set(names).size === names.length &&
    !leavesSlugs &&
    !(isDeletion && isLimited)
  );
}

const setsName = ({ customPath, externalId }: DynamicLinkChanges) =>
  customPath !== undefined || externalId !== undefined;

const namesOf = ({ customPath, externalId }: Pick<DynamicLinkChanges, 'customPath' | 'externalId'>): string[] => [
  ...(customPath === undefined ? [] : [`path ${customPath}`]),
  ...(typeof externalId === 'string' ? [`id ${externalId}`] : []),
];
