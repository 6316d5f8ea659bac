import { rulesOf } from '../rules/link-rules';
import { webPlatforms } from '../rules/web-platforms';

/** Paths, without the leading slash, that no app of the platform should open. */
export interface WebPaths {
  ios: readonly string[];
  android: readonly string[];
}

export const noWebPaths: WebPaths = { ios: [], android: [] };

/** Bounds the query and the file. Further links stay in the file, and the service refuses their opens if they are locked. */
const maxPaths = 1000;

export interface WebPath {
  path: string;
  rules: string | null;
  templateRules: string | null;
  /** Whether visitors of the link get a page before the destination. */
  locked: boolean;
}

/** Returns a condition. Rules that lead to the web have one of these names. Others are left out before the limit. */
const mayLeadToWeb = (rules: string): string => `${rules}::text ~ '"(url|variants)"'`;

/** Selects paths of links of a project, `$1`. The links are locked, or may lead to the web by their rules or those of their template. */
export const webPathsSql = `SELECT taken.path, link.rules, template.rules AS "templateRules",
               link.password_hash IS NOT NULL OR link.click_limit IS NOT NULL AS locked
             FROM dynamic_links link JOIN link_paths taken ON taken.dynamic_link_id = link.id
               LEFT JOIN link_templates template ON template.project_id = link.project_id AND template.name = link.template
             WHERE link.project_id = $1 AND link.deleted_at IS NULL
               AND (link.rules IS NOT NULL OR link.template IS NOT NULL OR link.password_hash IS NOT NULL OR link.click_limit IS NOT NULL)
               AND (${mayLeadToWeb('link.rules')} OR ${mayLeadToWeb('template.rules')}
                    OR link.password_hash IS NOT NULL OR link.click_limit IS NOT NULL)
             ORDER BY locked DESC, taken.path COLLATE "C" LIMIT ${maxPaths}`;

export function toWebPaths(rows: readonly WebPath[]): WebPaths {
  if (rows.length === 0) return noWebPaths;
  const read = rows.map(({ path, rules, templateRules, locked }) => ({
    path,
    web: locked ? { ios: true, android: true } : webPlatforms([...rulesOf(rules), ...rulesOf(templateRules)]),
  }));
  const of = (platform: 'ios' | 'android') => read.flatMap(({ path, web }) => (web[platform] ? path : [])).sort();
  return { ios: of('ios'), android: of('android') };
}
