import { hasTrigram, isWordCharacter, trigramsOf } from '../../platform/postgres/trigrams';
import { containing } from '../../shared/like-pattern';
import type { KeptTotals, LargeOwner, Narrowing } from '../../platform/postgres/kept-totals';
import { LargeProjects } from './large-projects';
import type { LinkSearchRepository, SearchedProject } from './link-search.repository';
import { rarestTrigrams } from './rarest-trigrams';
import { searchLimits } from './search-limits';
import { inPaths, type Patterns, patternsOf } from './short-text-patterns';

const hasOtherLetters = /[^\0-\x7f]/;

const hasAsciiForm = (character: string): boolean =>
  hasOtherLetters.test(character) || isWordCharacter(character, false);

const anyOf = (conditions: string[]): string => `(${conditions.join(' OR ')})`;

/** Changes that are not counted yet may have characters that no counted link has. */
const isUncounted = 't.id = ANY (ARRAY(SELECT dynamic_link_id FROM link_search_changes WHERE project_id = $1))';

/** The filters that counts are kept for. */
const countedFilters: ReadonlySet<string> = new Set(['ios_app_id', 'android_app_id', 'tag', 'exclude_tag']);

interface Statement {
  sql: string;
  values: unknown[];
}

interface LargeProject extends LargeOwner {
  links: number;
}

/**
 * Selects the exact totals of lists of links in large projects: the count of the text plus the noted changes that match. Archived
 * links have no counts, because most lists leave them out.
 */
export class PgLinkSearchTotals extends LargeProjects implements KeptTotals {
  #large = new Map<string, LargeProject>();
  /** Totals of lists that have the archived links too, which each query counts. */
  readonly withArchived: KeptTotals = {
    large: (projectId, filters) => this.large(projectId, filters),
    sql: (projectId, search, filters) => this.#sql(projectId, search, filters, true),
    narrow: (projectId, search, owner) => this.#narrow(projectId, search, owner, true),
  };

  constructor(private readonly links: LinkSearchRepository) {
    super();
  }

  set(projects: SearchedProject[]): void {
    this.#large = new Map(
      Array.from(projects, ({ projectId, share, hasAllLetters, builtAt, links }) => [
        projectId,
        { hasMostRows: share >= searchLimits.maxShare, hasAllLetters, isCounted: builtAt !== null, links },
      ]),
    );
  }

  large(projectId: string, filters: Record<string, unknown>): LargeProject | null {
    const isCounted = Object.entries(filters).every(([name, value]) => value === undefined || countedFilters.has(name));
    return isCounted ? (this.#large.get(projectId) ?? null) : null;
  }

  sql(projectId: string, search: string | undefined, filters: Record<string, unknown>): Statement {
    return this.#sql(projectId, search, filters, false);
  }

  narrow(projectId: string, search: string, owner: LargeOwner): Promise<Narrowing | null> {
    return this.#narrow(projectId, search, owner, false);
  }

  async #narrow(
    projectId: string,
    search: string,
    owner: LargeOwner,
    withArchived: boolean,
  ): Promise<Narrowing | null> {
    // No count has the characters of these.
    const uncounted = [isUncounted, ...(withArchived ? ['t.archived'] : [])];
    if (!owner.hasAllLetters && hasOtherLetters.test(search)) {
      const [folded] = await this.links.asciiForms([search]);
      // A letter beyond ASCII may have a lower-case form in ASCII, as the Kelvin sign.
      if (hasOtherLetters.test(folded!.lower)) return this.#byAsciiForm(projectId, search, folded!.form, uncounted);
    }
    if (hasTrigram(search, owner.hasAllLetters)) return this.#byRarestTrigrams(projectId, search, owner);
    const patterns = await this.#longerPatterns(projectId, search, (character) =>
      isWordCharacter(character, owner.hasAllLetters),
    );
    if (!patterns) return null;
    return (push) =>
      anyOf([
        ...patterns.name.map((pattern) => `t.name ILIKE $${push(pattern)}`),
        ...patterns.path.map((pattern) => `t.custom_path ILIKE $${push(pattern)}`),
        ...uncounted,
      ]);
  }

  /** Finds names by the index of those that the trigram index cannot find. Paths have letters of ASCII only. */
  async #byAsciiForm(projectId: string, search: string, form: string, uncounted: string[]): Promise<Narrowing | null> {
    const isLong = hasTrigram(form, false);
    const longer = isLong ? null : await this.#longerPatterns(projectId, search, hasAsciiForm);
    if (!isLong && !longer) return null;
    const patterns = longer
      ? (await this.links.asciiForms(longer.name)).map((pattern) => pattern.form)
      : [containing(form)];
    return (push) => {
      const forms = anyOf(patterns.map((pattern) => `ascii_form(t.name) LIKE $${push(pattern)}`));
      // The condition of the index.
      const inIndex = `octet_length(lower(t.name)) > char_length(lower(t.name)) AND cardinality(show_trgm('ü')) = 0`;
      return anyOf([`${inIndex} AND ${forms}`, ...(longer ? uncounted : [])]);
    };
  }

  async #byRarestTrigrams(
    projectId: string,
    search: string,
    { hasAllLetters, isCounted }: LargeOwner,
  ): Promise<Narrowing | null> {
    const size = this.#large.get(projectId)?.links ?? 0;
    const trigrams = trigramsOf(search, hasAllLetters);
    if (!isCounted || size === 0 || trigrams.length < 2) return null;
    const counts = await this.links.countsOf(
      projectId,
      trigrams.map(({ text }) => text),
    );
    const rare = Math.max(searchLimits.minMatches, searchLimits.minShare * size);
    const counted = trigrams.map((trigram, at) => ({ ...trigram, links: counts[at] ?? rare }));
    const selected = rarestTrigrams(counted, size);
    if (selected.length === trigrams.length) return null;
    return (push) => {
      const patterns = selected.map(({ text }) => `$${push(containing(text))}`);
      const fields = ['t.name', ...(inPaths.test(search) ? ['t.custom_path'] : [])];
      return anyOf(fields.map((field) => patterns.map((pattern) => `${field} ILIKE ${pattern}`).join(' AND ')));
    };
  }

  async #longerPatterns(
    projectId: string,
    search: string,
    isPartOfWord: (character: string) => boolean,
  ): Promise<Patterns | null> {
    const around = await this.links.charactersAround(projectId, search);
    return around && patternsOf(around.text, around.characters, around.pairs, isPartOfWord);
  }

  #sql(
    projectId: string,
    search: string | undefined,
    filters: Record<string, unknown>,
    withArchived: boolean,
  ): Statement {
    const values: unknown[] = [projectId];
    const { tag, exclude_tag: unwanted, ...others } = filters;
    const filtersOfApps = Object.entries(others).filter(([, value]) => value !== undefined);
    if (tag !== undefined || unwanted !== undefined) {
      const isAlone = filtersOfApps.length === 0 && search === undefined;
      return this.#sqlOfTags(values, tag as string[], unwanted as string[], withArchived, isAlone);
    }
    const columns = filtersOfApps.map(([column, value]) => `${column} = $${values.push(value)}`);
    const ofApps = columns.map((column) => ` AND kept.${column}`).join('');
    const filtered = totalOf(`''`, ofApps, '');
    const counted = search === undefined ? filtered : this.#totalOf(search, ofApps, values);
    const total = withArchived ? `${counted} + ${this.#archived(columns, search, values)}` : counted;
    // A walk in the order of a filter passes archived links too.
    const passed = ofApps ? `${filtered} + ${sumOf('archived_links')}` : 'NULL';
    const sql = `SELECT ${sumOf('dynamic_link_changes')} AS version, ${sumOf('dynamic_links')} AS all,
        CASE WHEN built_at IS NOT NULL THEN ${passed} END AS filtered,
        CASE WHEN built_at IS NOT NULL THEN ${total} END AS total
      FROM link_search_projects WHERE project_id = $1`;
    return { sql, values };
  }

  /** Selects the kept number of one tag. Other combinations are counted by the list itself. */
  #sqlOfTags(
    values: unknown[],
    wanted: string[] | undefined,
    unwanted: string[] | undefined,
    withArchived: boolean,
    isAlone: boolean,
  ): Statement {
    const ids = wanted && unwanted ? [] : (wanted ?? unwanted!);
    let total = 'NULL';
    if (isAlone && ids.length === 1) {
      const ofTag = `(SELECT coalesce(sum(${withArchived ? 'links' : 'links - archived_links'}), 0)
        FROM tag_counts WHERE tag_id = $${values.push(ids[0])})`;
      total = wanted ? ofTag : `${sumOf(withArchived ? 'dynamic_links' : 'dynamic_links - archived_links')} - ${ofTag}`;
    }
    const sql = `SELECT ${sumOf('dynamic_link_changes')} AS version, ${sumOf('dynamic_links')} AS all, NULL AS filtered,
        ${total} AS total
      FROM link_search_projects WHERE project_id = $1`;
    return { sql, values };
  }

  #archived(columns: string[], search: string | undefined, values: unknown[]): string {
    const pattern = search === undefined ? null : `$${values.push(containing(search))}`;
    const conditions = [
      'archived.project_id = $1 AND archived.archived AND archived.deleted_at IS NULL',
      ...columns.map((column) => `archived.${column}`),
      ...(pattern ? [`(archived.name ILIKE ${pattern} OR archived.custom_path ILIKE ${pattern})`] : []),
    ];
    return `(SELECT count(*) FROM dynamic_links AS archived WHERE ${conditions.join(' AND ')})`;
  }

  #totalOf(search: string, ofApps: string, values: unknown[]): string {
    const given = `$${values.push(search)}::text`;
    const pattern = `$${values.push(containing(search))}`;
    // ILIKE folds the path by "C", which changes ASCII letters only. A text that both ways fold alike is found in both columns by
    // its count. One with other characters is in no path.
    const text = `(CASE WHEN lower(${given}) = lower(${given} COLLATE "C") OR lower(${given}) ~ '[^\\x01-\\x7f]' THEN lower(${given}) END)`;
    // Counts of characters beyond U+FFFF are kept for halves of them.
    const isShort = `has_all_short_texts AND char_length(${text}) <= 2 AND ${text} !~ '[^\\x01-\\uffff]'`;
    return totalOf(
      text,
      ofApps,
      ` AND (kept.name ILIKE ${pattern} OR kept.custom_path ILIKE ${pattern})`,
      ` OR ${isShort}`,
    );
  }
}

const sumOf = (column: string): string =>
  `(SELECT coalesce(sum(${column}), 0) FROM project_counts WHERE project_id = $1)`;

/** Returns an expression that is null if the text has no count. Without a row for some apps, no link with these apps contains it. */
function totalOf(text: string, ofApps: string, matching: string, orIsKnown = ''): string {
  return `(SELECT CASE WHEN count(*) > 0${orIsKnown} THEN coalesce(sum(kept.links) FILTER (WHERE true${ofApps}), 0)
          + (SELECT coalesce(sum(kept.change), 0) FROM link_search_changes AS kept WHERE kept.project_id = $1${ofApps}${matching}) END
        FROM link_search_counts AS kept WHERE kept.project_id = $1 AND kept.text = ${text})`;
}
