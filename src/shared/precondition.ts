import type { UnitOfWork } from './unit-of-work';

export type Precondition<T> = (current: T) => void;

/**
 * Runs the change if the precondition holds. `find` must lock the resource: of two concurrent changes that expect the same
 * state, one is then refused.
 *
 * @throws the error of the precondition
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
