import { NotFound } from './domain-error';

/**
 * Returns the resource that a repository looked up.
 * @throws NotFound if it is null
 */
export function requireFound<T>(resource: T | null, name: string): T {
  if (resource === null) throw new NotFound(name);
  return resource;
}
