import { RequestMethod, type Type } from '@nestjs/common';
import { type DiscoveryService, type MetadataScanner } from '@nestjs/core';
import { operationIdOfHandler } from '../../api-kit/policy/operation-id';
import { requirePolicy } from '../../api-kit/policy/policies';
import type { Policy } from '../../api-kit/policy/policy';

interface Route {
  /** Such as `/api/v1/projects/:projectId`. */
  template: string;
  /** Number of segments. It is compared first, because some 150 regular expressions take 3 % of a request. */
  depth: number | 'any';
  pattern: RegExp;
  methods: Set<string>;
}

/** Lists the routes of all controllers, for policies, for 405 with `Allow` and for route names in the log. */
export class RouteTable {
  readonly #routes: Route[] = [];
  readonly #operations = new Map<object, { id: string; policy: Policy }>();

  /**
   * Reads the metadata of Nest's route decorators.
   * @throws Error if an operation has no policy
   */
  addControllers(discovery: DiscoveryService, scanner: MetadataScanner, policies = requirePolicy): void {
    for (const { metatype } of discovery.getControllers()) {
      const controller = metatype as Type;
      for (const handlerName of scanner.getAllMethodNames(controller.prototype as object)) {
        const handler = (controller.prototype as Record<string, () => unknown>)[handlerName]!;
        const path = Reflect.getMetadata('path', handler) as string | string[] | undefined;
        const method = RequestMethod[Reflect.getMetadata('method', handler) as number];
        if (path === undefined || method === undefined) continue;
        const id = operationIdOfHandler(controller.name, handler);
        this.#operations.set(handler, { id, policy: policies(id) });
        if (method === 'ALL') continue;
        this.#add(`${String(Reflect.getMetadata('path', controller))}/${String(path)}`, method);
      }
    }
    // A word counts before a parameter in its place: `links/bulk` has other methods than a link whose id it looks like.
    this.#routes.sort((one, other) => (orderOf(one.template) < orderOf(other.template) ? -1 : 1));
  }

  #add(path: string, method: string): void {
    const template = `/${path.split('/').filter(Boolean).join('/')}`;
    let route = this.#routes.find((known) => known.template === template);
    if (!route) {
      const depth = wildcard.test(template) ? 'any' : depthOf(template);
      this.#routes.push((route = { template, depth, pattern: patternOf(template), methods: new Set() }));
    }
    route.methods.add(method);
    if (method === 'GET') route.methods.add('HEAD');
  }

  /** @param handler method of a controller that has been added */
  operationOf(handler: object): { id: string; policy: Policy } {
    return this.#operations.get(handler)!;
  }

  find(path: string): { template: string; methods: ReadonlySet<string> } | undefined {
    const depth = depthOf(path);
    return this.#routes.find((route) => (route.depth === depth || route.depth === 'any') && route.pattern.test(path));
  }
}

const parameter = /:\w+/g;
/** Stands for one or more segments at the end. */
const wildcard = /\{\*\w+\}$/;

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll('.', '\\.').replace(parameter, '[^/]+').replace(wildcard, '.+')}/?$`);

const depthOf = (path: string): number => path.split('/').length - (path.endsWith('/') ? 2 : 1);

/** Returns a text that sorts words before parameters, and wild cards last. */
const orderOf = (template: string): string => template.replace(parameter, '\ufffe').replace(wildcard, '\uffff');
