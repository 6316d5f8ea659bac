import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { DomainError, type ErrorCode } from '../../shared/domain-error';
import type { JournalRow } from '../../tenancy/journal/journal-entry';

/** Reports that the former state is not possible any more. */
class CannotRestore extends DomainError {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

const refusals: Record<string, [code: ErrorCode, message: string]> = {
  link_paths_one_namespace: ['CUSTOM_PATH_EXISTS', 'Another link has the path now; change it first'],
  dynamic_links_external_id_unique: ['EXTERNAL_ID_EXISTS', 'Another link has the external id now; change it first'],
  dynamic_links_ios_app_fk: ['IOS_APP_NOT_FOUND', 'The iOS app of the link is deleted; restore the app first'],
  dynamic_links_android_app_fk: [
    'ANDROID_APP_NOT_FOUND',
    'The Android app of the link is deleted; restore the app first',
  ],
  dynamic_links_template_fk: ['NOT_FOUND', 'The template of the link is deleted; create it again first'],
  short_links_dynamic_link_fk: ['NOT_FOUND', 'The dynamic link of the short link is deleted; restore it first'],
  ios_apps_bundle_id_unique: ['BUNDLE_ID_EXISTS', 'Another app has the bundle identifier now; change it first'],
  android_apps_package_name_unique: ['PACKAGE_NAME_EXISTS', 'Another app has the package name now; change it first'],
};

const errors = Object.fromEntries(
  Object.entries(refusals).map(([constraint, refusal]) => [constraint, () => new CannotRestore(...refusal)]),
);

@Injectable()
export class PgRestoredRowRepository {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Sets changed columns back, or inserts a deleted row again. Returns false if the row is absent, or exists already.
   * @throws CannotRestore
   */
  restore(kind: string, projectId: string, { id, before }: JournalRow, isDeleted: boolean): Promise<boolean> {
    return mapConstraintErrors(errors, async () => {
      const values = [kind, projectId, id, before, isDeleted];
      const sql = 'SELECT restore_row($1, $2, $3, $4, $5) AS done';
      const [row] = await this.context.write<{ done: boolean }>(sql, values);
      return row!.done;
    });
  }
}
