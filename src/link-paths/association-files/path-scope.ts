import { reservedParameters } from '../paths/reserved-parameters';

/** Paths that other apps open, as seen by one app without own patterns. */
export interface NeighbourPaths {
  /** Paths of the app's own links that lie inside a pattern of `foreign`. They are compared first. */
  readonly own: readonly string[];
  /** Patterns of paths that open other apps. */
  readonly foreign: readonly string[];
}

const noNeighbours: NeighbourPaths = { own: [], foreign: [] };

/** An entry of `components` (Apple) or `dynamic_app_link_components` (Android). The first one that matches decides. */
export interface Component {
  '/'?: string;
  '?'?: Record<string, string>;
  exclude?: true;
}

/**
 * Returns the components of an app: its own patterns, or all paths except those of its neighbours. The first ones exclude
 * continuations from pages of this service, so that a visitor who chose the browser stays there.
 * @param vias patterns of the values of `_via` to exclude
 * @param paths the patterns of the app; null for all paths
 * @param web paths that no app opens, without the leading slash
 */
export function componentsOf(
  vias: readonly string[],
  paths: readonly string[] | null,
  neighbours: NeighbourPaths = noNeighbours,
  web: readonly string[] = [],
): Component[] {
  const opens = (pattern: string): Component => ({ '/': pattern });
  const continuations = vias.map((via): Component => ({
    '/': '*',
    '?': { [reservedParameters.via]: via },
    exclude: true,
  }));
  const closed = [...continuations, ...web.map((path): Component => ({ '/': `/${path}`, exclude: true }))];
  if (paths !== null) return [...closed, ...paths.map(opens)];
  const { own, foreign } = neighbours;
  return [
    ...closed,
    ...own.map(opens),
    ...foreign.map((pattern): Component => ({ '/': pattern, exclude: true })),
    opens('*'),
  ];
}
