const liveTaken =
  'link_paths taken JOIN dynamic_links link ON link.id = taken.dynamic_link_id AND link.deleted_at IS NULL';

/**
 * Selects the path that each visit, `$1`, means in its project, `$2`: the first of the paths in `$3` that leads to one link. A path
 * that no link has leads to the link whose path differs only in letter case, unless there are two. No more than two are read,
 * because a project can have any number. Link traffic and the diagnostics use the same statement.
 */
export const meantPathsSql = `SELECT DISTINCT ON (asked.visit) asked.visit, meant.path
             FROM unnest($1::integer[], $2::uuid[], $3::text[]) WITH ORDINALITY AS asked (visit, project_id, path, place)
             CROSS JOIN LATERAL (SELECT coalesce(
               (SELECT taken.path FROM ${liveTaken}
                WHERE taken.project_id = asked.project_id AND taken.path = asked.path),
               (SELECT min(twin.path) FROM (
                  SELECT taken.path FROM ${liveTaken}
                  WHERE taken.project_id = asked.project_id AND lower(taken.path) = lower(asked.path COLLATE "C") LIMIT 2
                ) twin HAVING count(*) = 1)
             ) AS path) meant
             WHERE meant.path IS NOT NULL
             ORDER BY asked.visit, asked.place`;
