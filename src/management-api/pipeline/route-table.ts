import { RequestMethod, type Type } from '@nestjs/common';
import { type DiscoveryService, type MetadataScanner } from '@nestjs/core';
import { PathTable } from './path-table';

/** Lists the routes of all controllers, for 405 with `Allow` and for route names in the log. */
export class RouteTable {
  /** The methods of each route. `links/bulk` has other methods than a link whose id it looks like. */
  readonly #routes = new PathTable<Set<string>>(true);
  /** Routes that end with a wild card, which stands for one or more segments. */
  readonly #wildcards: { prefix: string; template: string; methods: Set<string> }[] = [];

  /** Reads the metadata of Nest's route decorators. */
  addControllers(discovery: DiscoveryService, scanner: MetadataScanner): void {
    for (const { metatype } of discovery.getControllers()) {
      const controller = metatype as Type;
      for (const handlerName of scanner.getAllMethodNames(controller.prototype as object)) {
        const handler = (controller.prototype as Record<string, object>)[handlerName]!;
        const path = Reflect.getMetadata('path', handler) as string | string[] | undefined;
        const method = RequestMethod[Reflect.getMetadata('method', handler) as number];
        if (path === undefined || method === undefined || method === 'ALL') continue;
        this.#add(`${String(Reflect.getMetadata('path', controller))}/${String(path)}`, method);
      }
    }
  }

  #add(path: string, method: string): void {
    const methods = wildcard.test(path) ? this.#addWildcard(path) : this.#routes.add(path, () => new Set());
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }

  #addWildcard(path: string): Set<string> {
    const template = `/${path.split('/').filter(Boolean).join('/')}`;
    const methods = new Set<string>();
    this.#wildcards.push({ prefix: template.replace(wildcard, '/'), template, methods });
    return methods;
  }

  /** Returns the path's route. Its template is such as `/api/v1/projects/:projectId`. */
  find(path: string): { template: string; methods: ReadonlySet<string> } | undefined {
    const plain = withoutFinalSlash(path);
    const found = this.#routes.find(plain);
    if (found) return { template: found.template, methods: found.value };
    return this.#wildcards.find(({ prefix }) => plain.length > prefix.length && plain.startsWith(prefix));
  }
}

const wildcard = /\/\{\*\w+\}$/;

const withoutFinalSlash = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
