import { type Cells, noPlace, type Reader } from './field-readers';
import type { ImportSource, MappedRecord, SourceContext, SourceRecord } from './import-source';
import { LinkDraft } from './link-draft';
import { type Cell, cellsOf, isEmpty, nameKey, type Nested, valueText } from './source-cells';

/** The names of a field, the documented one first, and its reader. */
export type SourceField = readonly [names: readonly [string, ...string[]], read: Reader];

interface SourceOptions {
  /** The documented name of the field that each record must have. */
  required?: string;
  /** Objects inside a record whose values are fields. */
  nested?: Record<string, Nested>;
  /** Adds cells that others contain. */
  expand?: (cells: Cell[]) => Cell[];
  /** Tells whether a value holds nothing. By default, empty texts, lists and objects do. */
  isEmpty?: (cell: Cell, record: SourceRecord) => boolean;
  /** Reports what the whole record lacks. */
  reportMissing?: (draft: LinkDraft, cells: Cells) => void;
}

/** Maps records by a table of fields, in the order of the table. */
export class TableSource implements ImportSource {
  readonly #byKey = new Map<string, SourceField>();
  readonly #nested: ReadonlyMap<string, Nested>;

  constructor(
    readonly name: string,
    readonly fields: readonly SourceField[],
    private readonly options: SourceOptions = {},
  ) {
    for (const field of fields) for (const name of field[0]) this.#byKey.set(nameKey(name), field);
    this.#nested = new Map(Object.entries(options.nested ?? {}).map(([name, nested]) => [nameKey(name), nested]));
  }

  map(record: SourceRecord, context: SourceContext): MappedRecord {
    const draft = new LinkDraft(this.name, context);
    const found = cellsOf(record, this.#nested).filter(
      (cell) => !(this.options.isEmpty?.(cell, record) ?? isEmpty(cell.value)),
    );
    const cells = this.#byName(this.options.expand?.(found) ?? found, draft);
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

  /** Returns the known cells by their documented names, and reports the others. */
  #byName(given: readonly Cell[], draft: LinkDraft): Cells {
    const cells = new Map<string, Cell>();
    /** A value may be long, and have thousands of spellings of its name beside it. */
    const texts = new Map<string, string>();
    const textOf = (name: string, { value }: Cell): string => {
      const text = texts.get(name) ?? valueText(value);
      texts.set(name, text);
      return text;
    };
    for (const cell of given) {
      const [[name], read] = this.#byKey.get(nameKey(cell.field)) ?? [[]];
      const other = name === undefined ? undefined : cells.get(name);
      if (name === undefined) draft.report(cell);
      else if (!other) cells.set(name, cell);
      else if (textOf(name, other) === valueText(cell.value)) continue;
      else if (read === noPlace) noPlace(cell, draft, cells);
      else draft.refuse(cell, `has another value than the field ${other.field}`);
    }
    return cells;
  }
}
