import { EntitySchema, type EntitySchemaOptions } from 'typeorm';

/** The entities of all imported repositories, which TypeORM needs when it connects. */
export const entitySchemas: EntitySchema[] = [];

/** Returns the schema of an entity, and registers it. */
export function entitySchema<T>(options: EntitySchemaOptions<T>): EntitySchema<T> {
  const schema = new EntitySchema(options);
  entitySchemas.push(schema);
  return schema;
}
