import { columns, type RequestedSums, sums } from './pg-sums-sql';
import type { Grouping } from './statistics';
import { type FilteredProperty, type StatisticsFilter, visitorProperties } from './statistics-filter';
import { type Dimension, groupsLinks } from './statistics-plan';

/** A property in each form that PostgreSQL stores clicks in: single clicks, arrays of these, and elements of clicks_by_link. */
interface StoredProperty {
  array: string;
  click: string;
  element: string;
  isOfLink: boolean;
}

const ofVisitor = (name: string, array: string, place: number): StoredProperty => ({
  array,
  click: `coalesce(${name}, '')`,
  element: `split_part(visitor, '|', ${place})`,
  isOfLink: false,
});

const stored: Record<FilteredProperty, StoredProperty> = {
  platform: ofVisitor('platform', 'platforms', 1),
  browser: ofVisitor('browser', 'browsers', 2),
  referrer: ofVisitor('referrer', 'referrers', 3),
  country: ofVisitor('country', 'countries', 4),
  short_link: {
    array: 'short_link_ids::text[]',
    click: `coalesce(short_link_id::text, '')`,
    element: `coalesce(short_link_id::text, '')`,
    isOfLink: true,
  },
  source: { array: 'sources', click: `coalesce(source, '')`, element: `coalesce(source, '')`, isOfLink: true },
};

const sumsOfClicks = (requested: RequestedSums): string =>
  sums(requested, (column) => `coalesce(sum(times) FILTER (WHERE ${columns[column]}), 0)`);

/** Builds the parts of a statement that select clicks of a filter. They are of the project `$1`, and from `$2` to `$3`, in seconds. */
export class SelectedClicks {
  /** The parameter with the ids of links; null if all are accepted. */
  readonly links: string | null;
  readonly #accepted: { property: FilteredProperty; parameter: string; hasEmpty: boolean }[];

  /** @param starts the parameter with the starts of parts, in seconds */
  constructor(
    filter: StatisticsFilter,
    readonly groupBy: Grouping | null,
    private readonly starts: string,
    private readonly requested: RequestedSums,
    parameter: (value: unknown) => string,
  ) {
    this.links = filter.links === null ? null : `${parameter(filter.links)}::uuid[]`;
    this.#accepted = Object.entries(filter.values).map(([property, values]) => ({
      property: property as FilteredProperty,
      parameter: `${parameter(values)}::text[]`,
      hasEmpty: values.includes(''),
    }));
  }

  /** Selects clicks of batches that are not in the sums yet. OFFSET 0 makes the planner read batch by batch from the index. */
  get fresh(): string {
    return this.#clicks(`fresh_click_batches AS batch CROSS JOIN LATERAL (
      SELECT * FROM clicks WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at AND ${this.#rowCondition} OFFSET 0
    ) AS row`);
  }

  /** Selects all clicks of the window, in the sums or not. */
  get all(): string {
    return this.#clicks(`(SELECT * FROM clicks WHERE ${this.#rowCondition} OFFSET 0) AS row`);
  }

  /** Selects clicks that wait for the sums of their link. */
  get waiting(): string {
    const conditions = [
      ...(this.links === null ? [] : [`dynamic_link_id = ANY (${this.links})`]),
      ...this.#conditions((property) => stored[property].element),
    ];
    const buckets =
      this.links === null
        ? ''
        : `AND bucket = ANY (ARRAY(SELECT DISTINCT unnest(click_buckets(link)) FROM unnest(${this.links}) AS link))`;
    return `SELECT ${this.#value((property) => stored[property].element)} AS value, part, ${sumsOfClicks(this.requested)}
    FROM (
      SELECT element.*, width_bucket(moment, ${this.starts}::bigint[]) AS part,
             split_part(visitor, '|', 5) = '1' AS bot, split_part(visitor, '|', 6) = '1' AS qr
      FROM clicks_by_link AS row CROSS JOIN LATERAL (
        SELECT *, extract(epoch FROM month)::bigint + 900 * quarter AS moment
        FROM (
          SELECT unnest(dynamic_link_ids) AS dynamic_link_id, unnest(short_link_ids) AS short_link_id, unnest(sources) AS source,
                 unnest(visitors) AS visitor, unnest(quarters) AS quarter, unnest(row.times) AS times
        ) AS element WHERE ${conditions.join(' AND ') || 'true'} OFFSET 0
      ) AS element
      WHERE project_id = $1 ${buckets}
        AND month BETWEEN date_trunc('month', to_timestamp($2) AT TIME ZONE 'UTC')::date AND (to_timestamp($3) AT TIME ZONE 'UTC')::date
        AND moment >= $2 AND moment < $3
    ) AS click GROUP BY 1, 2`;
  }

  /** Returns the condition of rows of sums. Sums of links are those of the accepted ones already. */
  conditionOfSum(dimension: Dimension): string {
    if (dimension === 'link' && this.links !== null) return `kept.value = ANY (${this.links}::text[])`;
    const conditions = this.#conditions((property) => valueInSum(property, dimension, 'kept'));
    return [...conditions, ...this.#rangeOf(dimension)].join(' AND ') || 'true';
  }

  /** Builds the range of values of the platforms, which are neighbours in the primary key of sums. A brace is the character after a bar. */
  #rangeOf(dimension: Dimension): string[] {
    const ofPlatform = this.#accepted.find(({ property }) => property === 'platform');
    if (dimension !== 'visitor' || !ofPlatform) return [];
    const bound = (end: 'min' | 'max', after: string) =>
      `(SELECT ${end}(concat(name, '${after}') COLLATE "C") FROM unnest(${ofPlatform.parameter}) AS name)`;
    return [`kept.value BETWEEN ${bound('min', '|')} AND ${bound('max', '}')}`];
  }

  /** @param of the alias of the rows */
  valueOfSum(dimension: Dimension, of = 'counted'): string {
    if (this.#groupsByLink) return dimension === 'link' ? `${of}.value` : `${of}.scope_id::text`;
    return this.#value((property) => valueInSum(property, dimension, of));
  }

  /** The group of clicks without a value: their link, or none. */
  get valueOfRest(): string {
    return this.#groupsByLink ? 'counted.scope_id::text' : `''`;
  }

  get #groupsByLink(): boolean {
    return this.groupBy === 'link' || groupsLinks(this.groupBy);
  }

  #value(of: (property: FilteredProperty) => string): string {
    if (this.groupBy === null) return `''`;
    return this.#groupsByLink ? 'dynamic_link_id::text' : of(this.groupBy as FilteredProperty);
  }

  #conditions(of: (property: FilteredProperty) => string): string[] {
    return this.#accepted.map(({ property, parameter }) => `${of(property)} = ANY (${parameter})`);
  }

  /** Selects rows of the window that can have such clicks. */
  get #rowCondition(): string {
    return [
      'project_id = $1 AND clicked_at >= to_timestamp($2) AND clicked_at < to_timestamp($3)',
      ...(this.links === null ? [] : [`dynamic_link_ids && ${this.links}`]),
      ...this.#accepted.flatMap(({ property, parameter, hasEmpty }) =>
        hasEmpty ? [] : [`${stored[property].array} && ${parameter}`],
      ),
    ].join(' AND ');
  }

  /**
   * Sums the clicks of rows, each of which belongs to one part. Full joins are never nested loops, which would compare each click with each
   * visitor, and OFFSET 0 keeps them full. `times > 0` removes visitors without a click. If links do not matter, clicks are summed by
   * visitor before the join.
   */
  #clicks(rows: string): string {
    const names = [this.groupBy, ...this.#accepted.map(({ property }) => property)];
    const needsLink = this.#groupsByLink || names.some((name) => stored[name as FilteredProperty]?.isOfLink);
    const alike = `SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(row.times) AS times`;
    const ofLinks =
      this.links === null
        ? alike
        : `SELECT * FROM (${alike}) AS alike WHERE what = ANY (ARRAY(
            SELECT place FROM unnest(dynamic_link_ids) WITH ORDINALITY AS link (id, place) WHERE id = ANY (${this.links})
          ))`;
    const conditions = ['times > 0', ...this.#conditions((property) => stored[property].click)];
    return `SELECT ${this.#value((property) => stored[property].click)} AS value, part, ${sumsOfClicks(this.requested)}
    FROM (
      SELECT width_bucket(floor(extract(epoch FROM row.clicked_at))::bigint, ${this.starts}::bigint[]) AS part, click.*
      FROM ${rows} CROSS JOIN LATERAL (
        SELECT ${needsLink ? 'dynamic_link_id, short_link_id, source, ' : ''}platform, browser, referrer, country, bot, qr, alike.times
        FROM (${needsLink ? ofLinks : `SELECT who, sum(times)::integer AS times FROM (${ofLinks}) AS alike GROUP BY who`}) AS alike
          FULL JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
            AS visitor (platform, browser, referrer, country, bot, qr, place) ON visitor.place = who
          ${needsLink ? 'FULL JOIN unnest(dynamic_link_ids, short_link_ids, sources) WITH ORDINALITY AS link (dynamic_link_id, short_link_id, source, place) ON link.place = what' : ''}
        OFFSET 0
      ) AS click
    ) AS click
    WHERE ${conditions.join(' AND ')}
    GROUP BY 1, 2`;
  }
}

/** Returns the expression of a property in the values of a dimension. */
function valueInSum(property: FilteredProperty, dimension: Dimension, of: string): string {
  const place = (visitorProperties as readonly string[]).indexOf(property);
  return dimension === 'visitor' ? `split_part(${of}.value, '|', ${place + 1})` : `${of}.value`;
}
