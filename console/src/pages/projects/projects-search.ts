/** The state of the list of projects, which its address contains. */
export interface ProjectsSearch {
  search?: string;
  page?: number;
}

/** Reads the address. Values that it does not understand are left out. */
export function projectsSearch(raw: Record<string, unknown>): ProjectsSearch {
  const value = raw['search'];
  const search = typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : '';
  const page = Number(raw['page']);
  return { ...(search !== '' && { search }), ...(Number.isSafeInteger(page) && page > 1 && { page }) };
}
