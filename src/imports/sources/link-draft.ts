import { isDeepStrictEqual } from 'node:util';
import type { Rule } from '../../shared/rule';
import { destinationUrl, isWebUrl, linkDestination, schemeOf } from '../../shared/destination-url';
import { hostProblem, schemeProblem } from '../../links/projects/allowed-destinations';
import { type LinkFieldOf, linkFields } from '../../links/dynamic-links/link-fields';
import { appData } from '../../links/dynamic-links/app-data';
import { referrerParams } from '../../shared/referrer-params';
import { linkRules, urlsOfRules } from '../../link-paths/rules/link-rules';
import { linkVariants, urlsOfVariants, variantsOf } from '../../link-paths/rules/variants';
import { customPath } from '../../link-paths/paths/custom-path';
import { foldTag, tagName, tagNames } from '../../links/tags/tag';
import { cutTo, linkNameOf } from './link-name';
import { furtherValues, type MappedRecord, type SourceContext, type UnmappedField } from './import-source';
import { type Cell, fieldText, valueText } from './source-cells';

export type TextTarget = LinkFieldOf<'text' | 'exactText'>;
export type UrlTarget = LinkFieldOf<'url'>;
export type MomentTarget = LinkFieldOf<'moment'>;
export type FlagTarget = LinkFieldOf<'flag'>;

const maxTags = tagNames.schema.maxItems!;

/** Values without a place, their characters, and refusals that a record lists. A record of 250 kB could have tens of thousands. */
export const maxListed = { unmapped: 200, unmappedLength: 4000, refusals: 20 };

/** Collects the link of one record. The first value for a target counts; a later, different one is reported. */
export class LinkDraft {
  readonly #body = new Map<string, unknown>();
  readonly #params = new Map<string, string>();
  readonly #appData = new Map<string, unknown>();
  readonly #tags = new Map<string, string>();
  readonly #unmapped: UnmappedField[] = [];
  #unmappedLength = 0;
  #furtherValues = 0;
  readonly #refusals: MappedRecord['refusals'] = [];
  #host: { cell: Cell; name: string } | null = null;
  #path: string | null = null;
  #createdAt: Date | null = null;
  #clickTotal: number | null = null;
  #hasEnded = false;

  constructor(
    public importedFrom: string,
    readonly context: SourceContext,
  ) {}

  report({ field, value }: Cell, app?: UnmappedField['app']): void {
    // A record names two apps at most.
    const isOne = app !== undefined || (this.#furtherValues === 0 && this.#unmapped.length < maxListed.unmapped);
    if (isOne) {
      const unmapped = { field: fieldText(field), value: valueText(value), ...(app && { app }) };
      this.#unmappedLength += unmapped.field.length + unmapped.value.length;
      if (app || this.#unmappedLength <= maxListed.unmappedLength) return void this.#unmapped.push(unmapped);
    }
    this.#furtherValues++;
  }

  refuse({ field }: Pick<Cell, 'field'>, reason: string): void {
    if (this.#refusals.length < maxListed.refusals) this.#refusals.push({ field: fieldText(field), reason });
  }

  has(target: string): boolean {
    return this.#body.has(target);
  }

  /** Returns the value of a rule; refuses the record and returns null if the cell breaks it. */
  read<T>(rule: Rule<T>, cell: Cell, value = cell.value): T | null {
    const reading = rule.safeParse(value);
    if ('value' in reading) return reading.value;
    this.refuse(cell, reading.problems[0]!.message);
    return null;
  }

  /** Takes a destination. One with a scheme that the project does not allow is reported unless the link must have it. */
  url(target: UrlTarget, cell: Cell): void {
    const value = typeof cell.value === 'string' ? cell.value.trim() : cell.value;
    const { allowed } = this.context;
    const scheme = typeof value === 'string' && !isWebUrl(value) ? schemeOf(value) : '';
    const isDestination = target !== 'social_image_url';
    const mayHaveScheme =
      target === 'desktop_url' ||
      (isDestination && target !== 'expired_url' && allowed.allowedSchemes.includes(scheme));
    if (scheme !== '' && !mayHaveScheme) return this.report(cell);
    const url = this.read(mayHaveScheme ? linkDestination : destinationUrl, cell, value);
    const problem =
      url && isDestination && (schemeProblem(allowed.allowedSchemes, url)?.message ?? hostProblem(allowed, url));
    if (problem) this.refuse(cell, problem);
    else if (url !== null) this.set(target, url, cell);
  }

  /** Takes rules, whose destinations have the same rules as those of the link. */
  rules(input: unknown, cell: Cell): void {
    const json = this.read(linkRules, cell, input);
    if (json !== null && this.#allows(urlsOfRules(json), cell)) this.set('rules', JSON.parse(json), cell);
  }

  /** Takes variants like rules. */
  variants(input: unknown, cell: Cell): void {
    const variants = variantsOf(this.read(linkVariants, cell, input));
    if (variants.length > 0 && this.#allows(urlsOfVariants(variants), cell)) this.set('variants', variants, cell);
  }

  /** Refuses the cell if the project does not allow one of the destinations. */
  #allows(urls: Record<string, string>, cell: Cell): boolean {
    const { allowed } = this.context;
    for (const [field, url] of Object.entries(urls)) {
      const problem = schemeProblem(allowed.allowedSchemes, url)?.message ?? hostProblem(allowed, url);
      if (problem) this.refuse(cell, `${field} ${problem}`);
      if (problem) return false;
    }
    return true;
  }

  /** Takes a text. One that is too long is cut, and reported whole. */
  text(target: TextTarget, cell: Cell): void {
    const text = this.plainText(cell);
    if (text === null) return;
    const { rule } = linkFields[target];
    const cut = cutTo(text, rule.schema.maxLength!);
    if (this.read(rule, cell, cut) === null) return;
    if (cut !== text) this.report(cell);
    this.set(target, cut, cell);
  }

  /** Takes a text that must keep its length. */
  exactText(target: TextTarget, cell: Cell): void {
    const text = this.read(linkFields[target].rule, cell);
    if (text !== null) this.set(target, text, cell);
  }

  /** Returns the text of a cell. Numbers are texts too, because JSON may have them for paths and titles of digits. */
  plainText(cell: Cell): string | null {
    if (typeof cell.value === 'string') return cell.value;
    if (Number.isSafeInteger(cell.value)) return String(cell.value);
    this.refuse(cell, 'must be a string');
    return null;
  }

  set(target: string, value: unknown, cell: Cell): void {
    if (!this.#body.has(target)) this.#body.set(target, value);
    else if (!isDeepStrictEqual(this.#body.get(target), value)) this.report(cell);
  }

  host(host: string, cell: Cell): void {
    this.#host ??= { name: host, cell };
    if (this.#host.name !== host) this.report(cell);
  }

  path(path: string, cell: Cell): void {
    const read = this.read(customPath, cell, path);
    if (read === null) return;
    this.#path ??= read;
    if (this.#path !== read) this.report(cell);
  }

  param(name: string, cell: Cell): void {
    const text = this.plainText(cell);
    if (text === null || this.read(referrerParams, cell, { [name]: text }) === null) return;
    if (!this.#params.has(name)) this.#params.set(name, text);
    else if (this.#params.get(name) !== text) this.report(cell);
  }

  /** Adds a value to the data for apps. Returns false if `app_data` cannot have it, or already has another value. */
  appValue(name: string, value: unknown): boolean {
    if (this.#appData.has(name)) return isDeepStrictEqual(this.#appData.get(name), value);
    const json = appData.tryParse(Object.fromEntries([...this.#appData, [name, value]]));
    if (json !== null) this.#appData.set(name, value);
    return json !== null;
  }

  /** Adds the tag. Reports it as unmapped if the name is invalid or the link has the maximum number. */
  tag(name: unknown, cell: Cell): void {
    if (name === '') return;
    if (typeof name !== 'string' || tagName.tryParse(name) === null) return this.report({ ...cell, value: name });
    const folded = foldTag(name);
    if (this.#tags.has(folded)) return;
    if (this.#tags.size === maxTags) return this.report({ ...cell, value: name });
    this.#tags.set(folded, name);
  }

  /** Takes the time of creation in the first system. Returns false if another one is known already. */
  createdAt(time: Date): boolean {
    this.#createdAt ??= time;
    return this.#createdAt.getTime() === time.getTime();
  }

  /** Takes the number of clicks in the other system. Returns false if another one is known already. */
  clickTotal(count: number): boolean {
    this.#clickTotal ??= count;
    return this.#clickTotal === count;
  }

  /** Ends the link, whatever other end it has. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Returns the first moment at which the link can have ended. Only its creation is known. */
  #endedAt(): string {
    const from = this.#body.get('active_from') as string | undefined;
    const beginning = from === undefined ? 0 : Date.parse(from) + 1;
    return new Date(Math.max(beginning, this.#createdAt?.getTime() ?? 0)).toISOString();
  }

  finish(): MappedRecord {
    const host = this.#host?.name ?? null;
    if (host !== null && !this.context.hosts.has(host)) this.report(this.#host!.cell);
    if (this.#params.size > referrerParams.schema.maxProperties!)
      this.refuse({ field: 'referrer_params' }, `must have at most ${referrerParams.schema.maxProperties} pairs`);
    const further = { field: furtherValues, value: `${this.#furtherValues} further values` };
    const unmapped = this.#furtherValues > 0 ? [...this.#unmapped, further] : this.#unmapped;
    const outcome = { unmapped, refusals: this.#refusals };
    if (this.#refusals.length > 0) return { link: null, ...outcome };
    if (this.#params.size > 0) this.#body.set('referrer_params', Object.fromEntries(this.#params));
    if (this.#appData.size > 0) this.#body.set('app_data', Object.fromEntries(this.#appData));
    if (this.#tags.size > 0) this.#body.set('tags', [...this.#tags.values()]);
    if (this.#hasEnded) this.#body.set('active_until', this.#endedAt());
    const body = { name: linkNameOf(this.#body, this.#path), ...Object.fromEntries(this.#body) };
    const origin = {
      importedFrom: this.importedFrom,
      originalCreatedAt: this.#createdAt,
      originalClicks: this.#clickTotal === null ? null : String(this.#clickTotal),
    };
    return { link: { host, path: this.#path, body, origin }, ...outcome };
  }
}
