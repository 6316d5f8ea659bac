import { type LinksSearch, linksSearch } from './links-search';

/** Filters and order of the list under a name. */
export interface SavedView {
  name: string;
  search: LinksSearch;
}

export const maxViews = 30;
export const maxNameLength = 60;

const keyOf = (projectId: string): string => `signpost.views.${projectId}`;

/** Reads the views that this browser keeps. Values that it does not understand are left out. */
export function savedViews(projectId: string, storage: Pick<Storage, 'getItem'> = localStorage): SavedView[] {
  try {
    const views: unknown = JSON.parse(storage.getItem(keyOf(projectId)) ?? '[]');
    if (!Array.isArray(views)) return [];
    return (views as Partial<SavedView>[]).flatMap((view) =>
      typeof view?.name === 'string' && typeof view.search === 'object'
        ? [{ name: view.name, search: linksSearch({ ...view.search }) }]
        : [],
    );
  } catch {
    return [];
  }
}

export const keepViews = (
  projectId: string,
  views: readonly SavedView[],
  storage: Pick<Storage, 'setItem'> = localStorage,
): void => storage.setItem(keyOf(projectId), JSON.stringify(views));

/** Adds a view, or replaces that of the same name. It does not contain the number of the page, because the links of a page change. */
export function withView(views: readonly SavedView[], name: string, { page: _, ...search }: LinksSearch): SavedView[] {
  const others = views.filter((view) => view.name.toLowerCase() !== name.toLowerCase());
  return [...others, { name, search }].sort((a, b) => a.name.localeCompare(b.name)).slice(0, maxViews);
}
