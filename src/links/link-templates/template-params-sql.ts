/** Selects the parameters that visitors of `link` get: those of its template, and its own, which replace them. */
export const linkParamsSql = `CASE WHEN link.template IS NULL THEN link.referrer_params
  ELSE params_with_template(link.project_id, link.template, link.referrer_params) END`;
