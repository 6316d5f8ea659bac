import { isRequired, type Problem } from '../../shared/problem';
import { refused, Rule, type RuleSchema, wrongType } from '../../shared/rule';
import { isObject } from '../../shared/is-object';

type ReadBy<R> = R extends Rule<infer T> ? T : never;

/** Reads an object with some of these keys, and no others. The result has them in the order of `fields`. */
export const objectRule = <F extends Record<string, Rule<unknown>>>(
  fields: F,
  required: readonly (keyof F & string)[] = [],
  title?: string,
): Rule<{ [N in keyof F]?: ReadBy<F[N]> }> => {
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema]);
  const schema: RuleSchema = {
    type: 'object',
    ...(title !== undefined && { title }),
    properties: Object.fromEntries(schemas) as Record<string, RuleSchema>,
    additionalProperties: false,
    ...(required.length > 0 && { required: [...required] }),
  };
  return new Rule(schema, (input) => {
    if (!isObject(input)) return wrongType('object');
    const sent = new Map(Object.entries(input));
    const unknown = [...sent.keys()].find((name) => !Object.hasOwn(fields, name));
    if (unknown !== undefined)
      return refused('unrecognized_key', `is unknown; use one of ${Object.keys(fields).join(', ')}`, [unknown]);
    const problems: Problem[] = [];
    const values: Record<string, unknown> = {};
    for (const [name, rule] of Object.entries(fields)) {
      if (!sent.has(name)) {
        if (required.includes(name)) problems.push({ ...isRequired, path: [name] });
        continue;
      }
      const reading = rule.safeParse(sent.get(name));
      if ('value' in reading) values[name] = reading.value;
      else problems.push(...reading.problems.map((problem) => ({ ...problem, path: [name, ...problem.path] })));
    }
    return problems.length > 0 ? { problems } : { value: values as { [N in keyof F]?: ReadBy<F[N]> } };
  });
};
