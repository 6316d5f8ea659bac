import { decodePath, withoutFinalSlash } from '../../link-routing/visited-link/meant-paths';

export interface Target {
  /** As sent, without the leading slash. */
  sentPath: string;
  /** Percent-decoded, without the leading slash. */
  path: string;
  /** The path without one final slash, because no link has a path that ends with one. */
  linkPath: string;
  query: string;
}

/** Splits a request target in origin form. Returns null for one in absolute form, because that names another host. */
export function readTarget(url: string): Target | null {
  if (!url.startsWith('/')) return null;
  const hash = url.indexOf('#');
  const beforeHash = hash < 0 ? url : url.slice(0, hash);
  const mark = beforeHash.indexOf('?');
  const sentPath = mark < 0 ? beforeHash.slice(1) : beforeHash.slice(1, mark);
  const query = mark < 0 ? '' : beforeHash.slice(mark + 1);
  return { sentPath, path: decodePath(sentPath), linkPath: decodePath(withoutFinalSlash(sentPath)), query };
}
