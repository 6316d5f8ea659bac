import { RequestMethod, type Type } from '@nestjs/common';
import { type DiscoveryService, type MetadataScanner } from '@nestjs/core';

interface Route {
  template: string;
  segments: string[];
  methods: Set<string>;
}

/** Lists the routes of all controllers, for 405 with `Allow` and for route names in the log. */
export class RouteTable {
  readonly #routes = new Map<string, Route>();

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
    const template = `/${path.split('/').filter(Boolean).join('/')}`;
    const route = this.#routes.get(template) ?? { template, segments: template.split('/'), methods: new Set() };
    route.methods.add(method);
    if (method === 'GET') route.methods.add('HEAD');
    this.#routes.set(template, route);
  }

  /** Returns the methods of the path's route; empty if there is no route. */
  methodsOf(path: string): string[] {
    return [...(this.#find(path)?.methods ?? [])];
  }

  /** Returns a template such as `/api/v1/projects/:projectId`. */
  templateOf(path: string): string | undefined {
    return this.#find(path)?.template;
  }

  #find(path: string): Route | undefined {
    const segments = path.replace(/(?<=.)\/$/, '').split('/');
    for (const route of this.#routes.values()) {
      if (route.segments.length !== segments.length) continue;
      if (
        route.segments.every(
          (segment, at) => segment === segments[at] || (segment.startsWith(':') && segments[at] !== ''),
        )
      )
        return route;
    }
    return undefined;
  }
}
