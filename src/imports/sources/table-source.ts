import { type Cells, needsNoPlace, noPlace, param, type Reader } from './field-readers';
import type { ImportSource, MappedRecord, SourceContext, SourceRecord } from './import-source';
import { LinkDraft } from './link-draft';
import { type Cell, cellsOf, isEmpty, isWrittenNull, looseKey, nameKey, type Nested, valueText } from './source-cells';

/** The names of a field, the documented one first, and its reader. */
export type SourceField = readonly [names: readonly [string, ...string[]], read: Reader];

export const withoutPlace = (...names: string[]): SourceField[] => names.map((name) => [[name], noPlace]);

/** Returns fields that Signpost knows better, or needs not. */
export const ignored = (...names: string[]): SourceField[] => names.map((name) => [[name], needsNoPlace]);

export const utmParams = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'].map(
  (name): SourceField => [[name], param(name)],
);

interface SourceOptions {
  /** The documented name of the field that each record must have. */
  required?: string;
  nested?: Record<string, Nested>;
  expand?: (cells: Cell[]) => Cell[];
  /** Documented names of fields in which `null` and `undefined` are texts also in CSV. */
  texts?: readonly string[];
  /** Tells whether a value holds nothing. By default, empty texts, lists and objects do. */
  isEmpty?: (value: unknown, isCsv: boolean) => boolean;
  /** Reads a cell that no field matches. Returns false if it is not for the link. */
  other?: (cell: Cell, draft: LinkDraft) => boolean;
  reportMissing?: (draft: LinkDraft, cells: Cells) => void;
}

/** Forms of a name, the strictest first. A column is the field with which it shares the strictest one. */
const forms: readonly ((name: string) => string)[] = [(name) => name, looseKey, nameKey];
const exact = 0;
const signless = 2;

/** The field of a cell, and by which form of its name. */
interface Match {
  readonly field: SourceField;
  readonly form: number;
}

/** Maps records by a table of fields, in the order of the table. */
export class TableSource implements ImportSource {
  readonly #byForm = forms.map(() => new Map<string, SourceField>());
  readonly #nested: ReadonlyMap<string, Nested>;

  constructor(
    readonly name: string,
    readonly fields: readonly SourceField[],
    private readonly options: SourceOptions = {},
  ) {
    for (const field of fields)
      for (const name of field[0])
        for (const [at, form] of forms.entries()) {
          const known = this.#byForm[at]!;
          if (!known.has(form(name))) known.set(form(name), field);
        }
    this.#nested = new Map(Object.entries(options.nested ?? {}).map(([name, nested]) => [nameKey(name), nested]));
  }

  map(record: SourceRecord, context: SourceContext): MappedRecord {
    const draft = new LinkDraft(this.name, context);
    const all = cellsOf(record, this.#nested);
    // A row of CSV has texts only.
    const isCsv = Object.values(record).every((value) => typeof value === 'string');
    const filled = all.filter((cell) => !this.#isEmpty(cell, isCsv));
    const cells = this.#byName(this.options.expand?.(filled) ?? filled, all, draft);
    for (const [[name], read] of this.fields) {
      const cell = cells.get(name);
      if (cell) read(cell, draft, cells);
    }
    this.options.reportMissing?.(draft, cells);
    const { required } = this.options;
    if (required !== undefined && !cells.has(required)) draft.refuse({ field: required }, 'is required');
    else if (cells.size === 0) draft.refuse({ field: 'row' }, 'has no field that the source or the mapping knows');
    return draft.finish();
  }

  #isEmpty(cell: Cell, isCsv: boolean): boolean {
    if ((this.options.isEmpty ?? isEmpty)(cell.value, isCsv)) return true;
    if (!isCsv || !isWrittenNull(cell.value)) return false;
    const name = this.#matchOf(cell)?.field[0][0];
    return name === undefined || !this.options.texts?.includes(name);
  }

  #matchOf({ field: name }: Cell): Match | null {
    for (const [form, of] of forms.entries()) {
      const field = this.#byForm[form]!.get(of(name));
      if (field) return { field, form };
    }
    return null;
  }

  /**
   * Returns the known cells by their documented names, and reports the others. A cell whose name differs in signs is another column
   * if the record has a nearer name, even without a value.
   */
  #byName(filled: readonly Cell[], all: readonly Cell[], draft: LinkDraft): Cells {
    const matches = new Map([...new Set([...all, ...filled])].map((cell) => [cell, this.#matchOf(cell)]));
    const isNear = new Set<SourceField>();
    for (const match of matches.values()) if (match && match.form < signless) isNear.add(match.field);
    const cells = new Map<string, Cell>();
    for (const cell of filled) {
      const match = matches.get(cell);
      if (!match || (match.form === signless && isNear.has(match.field))) continue;
      const name = match.field[0][0];
      const other = cells.get(name);
      if (!other || matches.get(other)!.form > match.form) cells.set(name, cell);
    }
    /** A value may be long, and have thousands of spellings of its name beside it. */
    const texts = new Map<string, string>();
    const textOf = (name: string, { value }: Cell): string => {
      const text = texts.get(name) ?? valueText(value);
      texts.set(name, text);
      return text;
    };
    for (const cell of filled) {
      const match = matches.get(cell);
      const [[name], read] = match?.field ?? [[]];
      const taken = name === undefined ? undefined : cells.get(name);
      if (cell === taken) continue;
      if (name !== undefined && taken && textOf(name, taken) === valueText(cell.value)) continue;
      if (read === noPlace) noPlace(cell, draft, cells);
      else if (taken && match?.form === exact) draft.refuse(cell, `has another value than the field ${taken.field}`);
      else if (match || !this.options.other?.(cell, draft)) draft.report(cell);
    }
    return cells;
  }
}
