import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../shared/package-root';

export const migrationsFolder = join(packageRoot, 'migrations');

export interface MigrationFile {
  file: string;
  number: number;
  /** The name in `schema_migrations`, with the number in 13 digits at its end. */
  name: string;
  inTransaction: boolean;
  statements: string[];
}

export function readMigrationFiles(folder: string): MigrationFile[] {
  return readdirSync(folder)
    .filter((file) => /^[0-9]{4}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), 'utf8');
      const inTransaction = !/^-- no transaction\r?\n/.test(sql);
      return {
        file,
        number: Number(file.slice(0, 4)),
        name: `${file.slice(5, -4)}-${file.slice(0, 4).padStart(13, '0')}`,
        inTransaction,
        statements: inTransaction ? [sql] : indexStatements(file, sql),
      };
    });
}

const dropsIndex = /^DROP INDEX CONCURRENTLY IF EXISTS ([a-z0-9_]+)$/;
const createsIndex = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY ([a-z0-9_]+) ON /;

/**
 * Splits a file that runs outside a transaction. After a failure it runs again from its first statement, so it may only drop
 * indexes and build them. Each drop comes before its build, because a failed build leaves an invalid index behind. `IF NOT
 * EXISTS` would accept that one (PostgreSQL manual, CREATE INDEX, "Building Indexes Concurrently").
 *
 * @throws Error for any other statement
 */
function indexStatements(file: string, sql: string): string[] {
  const statements = sql
    .replace(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  if (statements.length === 0) throw new Error(`migrations/${file}: the file has no statement`);
  for (const [at, statement] of statements.entries()) {
    if (dropsIndex.test(statement)) continue;
    const created = createsIndex.exec(statement)?.[1];
    if (created === undefined)
      throw new Error(
        `migrations/${file}: this statement cannot run twice outside a transaction: ${statement.slice(0, 60)}. ` +
          'Use only DROP INDEX CONCURRENTLY IF EXISTS, and CREATE INDEX CONCURRENTLY with a name.',
      );
    if (dropsIndex.exec(statements[at - 1] ?? '')?.[1] !== created)
      throw new Error(
        `migrations/${file}: a failed build leaves an invalid index. Put DROP INDEX CONCURRENTLY IF EXISTS ${created} before it.`,
      );
  }
  return statements;
}
