import type { UnitOfWork } from './unit-of-work';

/** Throws when the resource as it stands is not what the caller took it for. */
export type Precondition<T> = (current: T) => void;

/**
 * Makes the change. Where something is expected of the resource, only while it holds: `find` reads the resource and keeps
 * others from changing it, and both happen in one unit of work, so that of two changes that expect the same one is refused.
 */
export function updateIfUnchanged<T, R>(
  unitOfWork: UnitOfWork,
  precondition: Precondition<T> | undefined,
  find: () => Promise<T>,
  change: () => Promise<R>,
): Promise<R> {
  if (!precondition) return change();
  return unitOfWork.run(async () => {
    precondition(await find());
    return change();
  });
}
