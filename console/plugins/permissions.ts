import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const id = 'virtual:permissions';
const file = new URL('../../openapi.json', import.meta.url);

/** The least role of people and the scope of keys for an operation. Null: no scope; false: no key may call it. */
export interface Permission {
  role: 'viewer' | 'editor' | 'admin' | 'owner';
  scope: string | null | false;
  isRead: boolean;
  inProject: boolean;
}

interface Described {
  operationId: string;
  security?: object[];
  'x-required-role'?: Permission['role'];
  'x-required-scope'?: string;
}

/** Provides what each operation requires, which the description has from the policy table of the service. */
export function permissions(): Plugin {
  return {
    name: 'signpost-permissions',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) =>
      source === `\0${id}` ? `export default ${JSON.stringify(permissionsOf(readFileSync(file, 'utf8')))};` : undefined,
  };
}

export function permissionsOf(description: string): Record<string, Permission> {
  const { paths } = JSON.parse(description) as { paths: Record<string, Record<string, Described>> };
  const byId: Record<string, Permission> = {};
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const { operationId, security = [], 'x-required-role': role, 'x-required-scope': scope = null } = operation;
      if (role === undefined) continue;
      byId[operationId] = {
        role,
        scope: security.some((one) => 'api_key' in one) ? scope : false,
        isRead: method === 'get' || scope?.endsWith(':read') === true,
        inProject: path.includes('{projectId}'),
      };
    }
  return byId;
}
