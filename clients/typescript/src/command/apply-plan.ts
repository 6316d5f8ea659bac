import { randomUUID } from 'node:crypto';
import type { components, DynamicLink } from '../index.js';
import { bulkLimits } from './batches.js';
import { UsageFailure } from './failures.js';
import { type FileField, fileFieldNames, type LinkBody, linkFields } from './link-fields.js';
import { parseUrl } from './parse-url.js';
import { foldTag } from './text.js';

/** The fields that a link shall have. An absent path keeps the present one, and other absent fields get their defaults. */
export type DesiredLink = Pick<LinkBody, FileField>;

/** A link as the service has it. */
export type CurrentLink = Pick<DynamicLink, FileField | 'external_id' | 'id'>;

export interface FieldChange {
  field: FileField;
  from: unknown;
  to: unknown;
}

export type Change =
  | { action: 'create' | 'update'; externalId: string; id: string | null; fields: FieldChange[] }
  | { action: 'delete'; externalId: string; id: string; name: string };

export interface Plan {
  /** In the order in which they must be run. */
  changes: Change[];
  unchanged: number;
}

type Operation = components['schemas']['BulkLinksBody']['operations'][number];

function defaultOf(field: FileField): unknown {
  const { kind } = linkFields[field];
  if (kind === 'boolean') return false;
  return kind === 'list' ? [] : null;
}

/**
 * Compares links with those of the service.
 * @param current links with an external id. Those that are not desired are deleted, so leave them out unless they are pruned.
 */
export function planLinks(desired: ReadonlyMap<string, DesiredLink>, current: readonly CurrentLink[]): Plan {
  const existing = new Map(current.map((link) => [link.external_id, link]));
  const deletions = current
    .filter(({ external_id: externalId }) => externalId !== null && !desired.has(externalId))
    .map((link): Change => ({ action: 'delete', externalId: link.external_id!, id: link.id, name: link.name }));
  const updates: Change[] = [];
  const creations: Change[] = [];
  for (const [externalId, link] of desired) {
    const before = existing.get(externalId);
    const fields = changedFields(link, before);
    if (!before) creations.push({ action: 'create', externalId, id: null, fields });
    else if (fields.length > 0) updates.push({ action: 'update', externalId, id: before.id, fields });
  }
  const unchanged = desired.size - updates.length - creations.length;
  // Deletions leave paths and quotas that others may take.
  return { changes: [...deletions, ...inOrderOfPaths(updates), ...creations], unchanged };
}

function changedFields(desired: DesiredLink, before: CurrentLink | undefined): FieldChange[] {
  return fileFieldNames.flatMap((field) => {
    const from = before?.[field] ?? defaultOf(field);
    if (field === 'custom_path' && desired[field] === undefined) return [];
    const to = desired[field] ?? defaultOf(field);
    return comparable(field, from) === comparable(field, to) ? [] : [{ field, from, to }];
  });
}

/** Returns a text that two values share if the service stores them as one. */
function comparable(field: FileField, value: unknown): string {
  if (field === 'rules' || field === 'variants') return JSON.stringify(comparableRules(value, ''));
  if (field.startsWith('active_') && typeof value === 'string') return comparableTime(value);
  if (Array.isArray(value)) return JSON.stringify([...new Set(value.map((tag) => foldTag(String(tag))))].sort());
  if (field.endsWith('_url') && typeof value === 'string') return comparableUrl(value) ?? JSON.stringify(value);
  if (field.endsWith('_app_id') && typeof value === 'string') return value.toLowerCase();
  return JSON.stringify(value);
}

/** Returns rules or variants as the service stores them, with their keys in one order. */
function comparableRules(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => comparableRules(item, name));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, comparableRules(item, key)]);
  if (typeof value !== 'string') return value;
  if (name === 'url') return comparableUrl(value) ?? value;
  if (name === 'from' || name === 'until') return comparableTime(value);
  if (name === 'countries') return value.toUpperCase();
  return name === 'referring_hosts' || name === 'networks' ? value.toLowerCase() : value;
}

function comparableTime(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

/** Returns a URL with the characters encoded that the service encodes (RFC 3986), or undefined if it is not one. */
const comparableUrl = (text: string): string | undefined =>
  parseUrl(text)?.href.replace(
    /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%#]|(?<=#.*)#|%(?![0-9A-Fa-f]{2})/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

const pathChange = (change: Change): FieldChange | undefined =>
  change.action === 'update' ? change.fields.find(({ field }) => field === 'custom_path') : undefined;

/**
 * Sorts updates so that a path is left before another link takes it. Links that exchange their paths follow each other, and the
 * last of them leaves the path that the first one takes.
 */
function inOrderOfPaths(updates: readonly Change[]): Change[] {
  const leaving = new Map(
    updates.flatMap((change) => (pathChange(change) ? [[pathChange(change)!.from, change]] : [])),
  );
  const sorted = new Set<Change>();
  for (const update of updates) {
    const chain = new Set<Change>();
    for (
      let change: Change | undefined = update;
      change && !sorted.has(change) && !chain.has(change);
      change = leaving.get(pathChange(change)?.to)
    )
      chain.add(change);
    for (const change of [...chain].reverse()) sorted.add(change);
  }
  return [...sorted];
}

/** An operation for a link. */
export interface Step {
  externalId: string;
  operation: Operation;
}

/**
 * Returns the operations of changes, in groups that one request must make. Of links that exchange their paths, one first takes a
 * path that nobody has, which no visitor sees because the request is atomic.
 * @throws UsageFailure if more links exchange their paths than one request can change
 */
export function stepsOf(changes: readonly Change[]): Step[][] {
  const places = new Map(changes.map((change, at) => [pathChange(change)?.from, at]));
  const groups: Step[][] = [];
  for (let at = 0; at < changes.length; at++) {
    const first = at;
    // The path is still taken only in an exchange.
    at = Math.max(at, places.get(pathChange(changes[at]!)?.to ?? null) ?? at);
    const group = changes.slice(first, at + 1).map(toStep);
    if (group.length > 1) group.unshift(stepAside(changes[at]!));
    if (group.length > bulkLimits.operations)
      throw new UsageFailure(
        `${group.length - 1} links exchange their paths, which is too many for one request; apply one of them with another path first.`,
      );
    groups.push(group);
  }
  return groups;
}

const toStep = (change: Change): Step => ({ externalId: change.externalId, operation: toOperation(change) });

function stepAside({ externalId, id }: Change): Step {
  return { externalId, operation: { op: 'update', id: id!, link: { custom_path: `moving-${randomUUID()}` } } };
}

/** Returns the operation of a bulk request. */
export function toOperation(change: Change): Operation {
  if (change.action === 'delete') return { op: 'delete', id: change.id };
  const link = Object.fromEntries(change.fields.map(({ field, to }) => [field, to])) as LinkBody;
  if (change.action === 'update') return { op: 'update', id: change.id!, link };
  // A creation takes no nulls; its fields are those that differ from the defaults.
  return { op: 'create', link: { ...link, external_id: change.externalId } as never };
}
