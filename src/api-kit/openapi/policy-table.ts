import type { OpenAPIObject } from '@nestjs/swagger';
import { requirePolicy } from '../policy/policies';
import { operationsOf } from './described-operation';

/** Returns a table in Markdown of the policy of each described operation, in the order of the description. */
export function policyTable(document: OpenAPIObject): string {
  const rows = operationsOf(document).map(({ operation, method, path }) => {
    const id = operation.operationId!;
    const policy = requirePolicy(id);
    const [keys, people] = typeof policy === 'string' ? [policy, policy] : policy;
    return `| \`${id}\` | ${method.toUpperCase()} ${path} | ${keys} | ${people} |\n`;
  });
  return `\n| operation | request | API keys | people |\n|---|---|---|---|\n${rows.join('')}\n`;
}
