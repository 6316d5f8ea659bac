import { isWordCharacter } from '../../platform/postgres/trigrams';
import { containing } from '../../shared/like-pattern';
import type { KeptTotals, LargeOwner, Narrowing } from '../../platform/postgres/kept-totals';
import { LargeProjects } from './large-projects';
import type { LinkSearchRepository, SearchedProject } from './link-search.repository';
import { patternsOf } from './short-text-patterns';

/** From this share of all links on, it is faster to find the matches of all projects than to intersect them with the project. */
const minShare = 0.2;

/** Selects the exact totals of lists of links in large projects: the count of the text plus the noted changes that match. */
export class PgLinkSearchTotals extends LargeProjects implements KeptTotals {
  #large = new Map<string, LargeOwner>();

  constructor(private readonly links: LinkSearchRepository) {
    super();
  }

  set(projects: SearchedProject[]): void {
    this.#large = new Map(
      Array.from(projects, ({ projectId, share, hasAllLetters }) => [
        projectId,
        { hasMostRows: share >= minShare, hasAllLetters },
      ]),
    );
  }

  large(projectId: string): LargeOwner | null {
    return this.#large.get(projectId) ?? null;
  }

  async narrow(projectId: string, search: string, { hasAllLetters }: LargeOwner): Promise<Narrowing | null> {
    const around = await this.links.charactersAround(projectId, search);
    const patterns =
      around &&
      patternsOf(around.text, around.characters, around.pairs, (character) =>
        isWordCharacter(character, hasAllLetters),
      );
    if (!patterns) return null;
    return (push) =>
      `(${[
        ...patterns.name.map((pattern) => `t.name ILIKE $${push(pattern)}`),
        ...patterns.path.map((pattern) => `t.custom_path ILIKE $${push(pattern)}`),
        // Changes that are not counted yet may have other characters.
        't.id = ANY (ARRAY(SELECT dynamic_link_id FROM link_search_changes WHERE project_id = $1))',
      ].join(' OR ')})`;
  }

  sql(
    projectId: string,
    search: string | undefined,
    filters: Record<string, unknown>,
  ): { sql: string; values: unknown[] } {
    const values: unknown[] = [projectId];
    const ofApps = Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .map(([column, value]) => ` AND kept.${column} = $${values.push(value)}`)
      .join('');
    const filtered = totalOf(`''`, ofApps, '');
    const total = search === undefined ? filtered : this.#totalOf(search, ofApps, values);
    const sql = `SELECT (SELECT coalesce(sum(dynamic_link_changes), 0) FROM project_counts WHERE project_id = $1) AS version,
        (SELECT coalesce(sum(dynamic_links), 0) FROM project_counts WHERE project_id = $1) AS all,
        CASE WHEN built_at IS NOT NULL THEN ${ofApps ? filtered : 'NULL'} END AS filtered,
        CASE WHEN built_at IS NOT NULL THEN ${total} END AS total
      FROM link_search_projects WHERE project_id = $1`;
    return { sql, values };
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

/** Returns an expression that is null if the text has no count. Without a row for some apps, no link with these apps contains it. */
function totalOf(text: string, ofApps: string, matching: string, orIsKnown = ''): string {
  return `(SELECT CASE WHEN count(*) > 0${orIsKnown} THEN coalesce(sum(kept.links) FILTER (WHERE true${ofApps}), 0)
          + (SELECT coalesce(sum(kept.change), 0) FROM link_search_changes AS kept WHERE kept.project_id = $1${ofApps}${matching}) END
        FROM link_search_counts AS kept WHERE kept.project_id = $1 AND kept.text = ${text})`;
}
