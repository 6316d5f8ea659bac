import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The same from `src/` and from `dist/`. */
export const migrationsFolder = join(__dirname, '..', '..', '..', 'migrations');

export interface MigrationFile {
  file: string;
  /** Under which the database remembers that it ran. TypeORM orders migrations by the 13 digits that end it. */
  name: string;
  /** All of the file happens, or none of it. */
  inTransaction: boolean;
  /** The whole text where it runs in a transaction, else each statement by itself. */
  statements: string[];
}

/** The files of SQL in the order of their numbers. */
export function readMigrationFiles(folder: string): MigrationFile[] {
  return readdirSync(folder)
    .filter((file) => /^[0-9]{4}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), 'utf8');
      const inTransaction = !/^-- no transaction\r?\n/.test(sql);
      return {
        file,
        name: `${file.slice(5, -4)}-${file.slice(0, 4).padStart(13, '0')}`,
        inTransaction,
        statements: inTransaction ? [sql] : indexStatements(file, sql),
      };
    });
}

const dropsIndex = /^DROP INDEX CONCURRENTLY IF EXISTS ([a-z0-9_]+)$/;
const createsIndex = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY ([a-z0-9_]+) ON /;

/**
 * The statements of a file that runs outside a transaction. One that fails leaves those before it done, so only such are taken
 * as can be run again from the first: indexes, each dropped before it is built. A build that fails leaves an invalid index
 * behind, which is written to and never read, and which IF NOT EXISTS would take for a sound one (PostgreSQL manual, CREATE
 * INDEX, "Building Indexes Concurrently").
 * @throws Error for anything else
 */
function indexStatements(file: string, sql: string): string[] {
  const statements = sql
    .replace(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  if (statements.length === 0) throw new Error(`migrations/${file}: has no statement`);
  for (const [at, statement] of statements.entries()) {
    if (dropsIndex.test(statement)) continue;
    const created = createsIndex.exec(statement)?.[1];
    if (created === undefined)
      throw new Error(
        `migrations/${file}: without a transaction only DROP INDEX CONCURRENTLY IF EXISTS and CREATE INDEX CONCURRENTLY ` +
          `of a named index can be run again, and not: ${statement.slice(0, 60)}`,
      );
    if (dropsIndex.exec(statements[at - 1] ?? '')?.[1] !== created)
      throw new Error(
        `migrations/${file}: a build that fails leaves an invalid index: say DROP INDEX CONCURRENTLY IF EXISTS ${created} before it`,
      );
  }
  return statements;
}
