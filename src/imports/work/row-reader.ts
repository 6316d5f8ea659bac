import { createHash } from 'node:crypto';
import { ForbiddenField, InvalidInput, type Problem } from '../../shared/problem';
import type { Plan } from '../../tenancy/accounts/plan';
import { planIncludes } from '../../tenancy/accounts/plan';
import { FeatureNotInPlan } from '../../tenancy/accounts/account.errors';
import { DynamicLink, type LinkOriginFields, type NewDynamicLink } from '../../links/dynamic-links/dynamic-link';
import { CreateDynamicLinkBody } from '../../links/dynamic-links/dynamic-link-bodies.dto';
import { linkFieldEntries } from '../../links/dynamic-links/link-fields';
import { propertyOf } from '../../shared/field-table';
import type { ImportSource, SourceContext, SourceRecord, UnmappedField } from '../sources/import-source';
import { StrictValidationPipe } from '../../api-kit/kit/strict-validation.pipe';
import { foldTag } from '../../links/tags/tag';
import type { RowProblem } from '../model/import-row';
import type { WantedLink } from './row-plan';

export type RowFields = NewDynamicLink & LinkOriginFields;

export interface ReadRow {
  /** Null if the row is refused. */
  fields: RowFields | null;
  problems: RowProblem[];
  unmapped: readonly UnmappedField[];
}

/** The longest reason that is stored, in characters. Reasons may quote the row. */
const maxReasonLength = 500;

const body = { type: 'body', metatype: CreateDynamicLinkBody } as const;

/** Reads rows as links, by the mapping of a source and the rules of the API. */
export class RowReader {
  readonly #pipe = new StrictValidationPipe();
  readonly #appIds: ReadonlySet<unknown>;

  constructor(
    private readonly source: ImportSource,
    private readonly context: SourceContext,
    private readonly plan: Plan,
  ) {
    this.#appIds = new Set([...context.iosApps.values(), ...context.androidApps.values()]);
  }

  async read(record: SourceRecord): Promise<ReadRow> {
    const { link, unmapped, refusals } = this.source.map(record, this.context);
    const refused = (problems: RowProblem[]): ReadRow => ({ fields: null, problems, unmapped });
    if (!link)
      return refused(
        refusals.map(({ field, reason }) => toRowProblem({ path: [field], message: `${field} ${reason}` })),
      );
    const sent = { ...link.body, ...(link.path !== null && { custom_path: link.path }) };
    let read: CreateDynamicLinkBody;
    try {
      read = (await this.#pipe.transform(sent, body)) as CreateDynamicLinkBody;
    } catch (error) {
      if (error instanceof InvalidInput || error instanceof ForbiddenField)
        return refused(error.details.map(toRowProblem));
      throw error;
    }
    const faults = this.#faultsOf(read);
    if (faults.length > 0) return refused(faults);
    return { fields: { ...CreateDynamicLinkBody.toLink(read), ...link.origin }, problems: [], unmapped };
  }

  #faultsOf({
    ios_app_id: ios,
    android_app_id: android,
    ios_deferred_deep_link: deferred,
    template,
  }: CreateDynamicLinkBody) {
    const problems: RowProblem[] = [];
    for (const [field, id] of Object.entries({ ios_app_id: ios, android_app_id: android }))
      if (id !== undefined && !this.#appIds.has(id))
        problems.push({ field, reason: `${field} is no app of this project` });
    if (template !== undefined && !this.context.templates.has(template))
      problems.push({ field: 'template', reason: 'template is unknown in this project' });
    if (deferred && !planIncludes(this.plan, 'deferred_deep_links')) {
      const { message: reason } = new FeatureNotInPlan('deferred_deep_links', this.plan);
      problems.push({ field: 'ios_deferred_deep_link', reason });
    }
    return problems;
  }
}

const toRowProblem = ({ path, message }: Pick<Problem, 'path' | 'message'>): RowProblem => ({
  field: path.length > 0 ? path.join('.') : null,
  reason: message.slice(0, maxReasonLength),
});

/** Returns the fields of a link on which the outcome of a row depends. */
export function wantedOf(fields: RowFields): WantedLink {
  const { customPath: path = null, externalId = null, importedFrom, originalClicks } = fields;
  return { path, externalId, digest: digestOf(fields), origin: { importedFrom, originalClicks } };
}

const compared = linkFieldEntries
  .filter(([, field]) => field.compared !== false)
  .map(([name, { kind }]) => [propertyOf(name) as keyof NewDynamicLink, kind] as const);

/** Returns a digest of all other fields. An empty text counts as none, because CSV cannot tell them apart. */
function digestOf(fields: NewDynamicLink): string {
  const link = DynamicLink.replacement(fields);
  const values = compared.map(([property, kind]) => {
    if (kind === 'tags') return link.tags?.map(foldTag);
    return kind === 'text' ? link[property] || null : link[property];
  });
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}
