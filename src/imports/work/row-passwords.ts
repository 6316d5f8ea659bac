import type { Hashed } from '../../links/dynamic-links/dynamic-link';
import { hashPassword } from '../../shared/password-hash';
import type { PlannedRow } from './import-planner.service';
import type { RowFields } from './row-reader';

export type HashedRow = PlannedRow<Hashed<RowFields>>;

/** Hashes the passwords of a batch between its transactions. Each takes some 60 ms, for which other requests would wait for locks. */
export class RowPasswords {
  /** Hashes by the numbers of rows. */
  readonly #hashes = new Map<number, Buffer>();
  #waiting: { number: number; password: string }[] = [];

  /** Returns the rows with hashes; null if passwords are to be hashed before. */
  applyTo(rows: readonly PlannedRow[]): HashedRow[] | null {
    this.#waiting = rows.flatMap(({ number, fields }) =>
      typeof fields?.password === 'string' && !this.#hashes.has(number) ? { number, password: fields.password } : [],
    );
    if (this.#waiting.length > 0) return null;
    return rows.map((row) => ({ ...row, fields: row.fields && this.#fieldsOf(row.number, row.fields) }));
  }

  /** Hashes the passwords that `applyTo` lacked. Returns false if it lacked none. */
  async hash(): Promise<boolean> {
    const waiting = this.#waiting;
    // The next transaction may find that the import has ended, and apply nothing.
    this.#waiting = [];
    await Promise.all(
      waiting.map(async ({ number, password }) => this.#hashes.set(number, await hashPassword(password))),
    );
    return waiting.length > 0;
  }

  #fieldsOf(number: number, { password, ...others }: RowFields): Hashed<RowFields> {
    if (password === undefined) return others;
    return { ...others, passwordHash: password === null ? null : this.#hashes.get(number)! };
  }
}
