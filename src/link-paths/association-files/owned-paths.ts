export interface LinkOwnership {
  /** Without the leading slash. */
  path: string;
  iosAppId: string | null;
  androidAppId: string | null;
}

/** The links of a project; null if they have more than `maxOwnedPaths` paths. */
export type LinkOwnerships = readonly LinkOwnership[] | null;

/**
 * Maximum number of paths of a project from which the paths of its apps are derived. It bounds the query, the file and the time
 * to build it (docs/decisions/0016-association-files-and-explanations.md).
 */
export const maxOwnedPaths = 1000;

/**
 * Selects the paths of a project, `$1`, with the apps of their links; at most one more than `maxOwnedPaths`. Link traffic and the
 * diagnostics read them by the same statement. The limit comes before the join, so that it bounds the work. A path of
 * a link under deletion names no app.
 */
export const ownedPathsSql = `SELECT taken.path, link.ios_app_id AS "iosAppId", link.android_app_id AS "androidAppId"
             FROM (SELECT path, dynamic_link_id FROM link_paths WHERE project_id = $1 LIMIT ${maxOwnedPaths + 1}) taken
             LEFT JOIN dynamic_links link ON link.id = taken.dynamic_link_id AND link.deleted_at IS NULL
             ORDER BY taken.path COLLATE "C"`;

export const toLinkOwnerships = (rows: readonly LinkOwnership[]): LinkOwnerships =>
  rows.length > maxOwnedPaths ? null : rows;
