import 'reflect-metadata';

const operationIdKey = 'signpost:operation-id';

/** Names the operation of a method whose name does not describe it. */
export const NamesOperation =
  (id: string): MethodDecorator =>
  (_target, _name, { value }) =>
    Reflect.defineMetadata(operationIdKey, id, value as object);

/**
 * Names an operation as a client names its method: `list` of ProjectsController is `listProjects`, and `create` is
 * `createProject`.
 */
export function operationIdOf(controller: string, method: string): string {
  const resources = controller.replace(/Controller$/, '');
  return method + (method === 'list' ? resources : resources.replace(/s$/, ''));
}

/** Returns the id of the operation that a handler implements. */
export const operationIdOfHandler = (controller: string, handler: { readonly name: string }): string =>
  (Reflect.getMetadata(operationIdKey, handler) as string | undefined) ?? operationIdOf(controller, handler.name);
