import 'reflect-metadata';
import { All, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { type DiscoveryService, MetadataScanner } from '@nestjs/core';
import { RouteTable } from '../../../src/management-api/pipeline/route-table';

@Controller('api/v1/things')
class Things {
  @Get()
  list() {}
  @Post()
  create() {}
  @Get(':id')
  get() {}
  @Put(':id')
  update() {}
  @Delete(':id/')
  delete() {}
  @Get(':id/parts/:partId')
  part() {}
  notARoute() {}
}

@Controller('api/v1/things/shared')
class SharedThings {
  @Post()
  share() {}
}

@Controller('/health/')
class Health {
  @Get('/live')
  live() {}
}

@Controller('pages')
class Pages {
  @Get()
  start() {}
  @Get('files/:file')
  file() {}
  @Get('{*path}')
  page() {}
}

@Controller()
class Rest {
  @All('{*path}')
  rest() {}
}

const routes = new RouteTable();
beforeAll(() => {
  const controllers = [Things, SharedThings, Health, Pages, Rest].map((metatype) => ({ metatype }));
  const discovery = { getControllers: () => controllers } as unknown as DiscoveryService;
  routes.addControllers(discovery, new MetadataScanner(), () => 'public');
});

test('an operation without a policy stops the service at its start', () => {
  const discovery = { getControllers: () => [{ metatype: Things }] } as unknown as DiscoveryService;
  expect(() => new RouteTable().addControllers(discovery, new MetadataScanner())).toThrow(
    'The operation listThings has no policy. Add a row to src/api-kit/policy/policies.ts.',
  );
});

test.each<[string, string | undefined, string]>([
  ['/api/v1/things', '/api/v1/things', 'GET HEAD POST'],
  ['/api/v1/things/', '/api/v1/things', 'GET HEAD POST'],
  ['/api/v1/things/x', '/api/v1/things/:id', 'DELETE GET HEAD PUT'],
  ['/api/v1/things/x/', '/api/v1/things/:id', 'DELETE GET HEAD PUT'],
  ['/api/v1/things/%ff', '/api/v1/things/:id', 'DELETE GET HEAD PUT'],
  ['/api/v1/things/shared', '/api/v1/things/shared', 'POST'],
  ['/api/v1/things/:id', '/api/v1/things/:id', 'DELETE GET HEAD PUT'],
  ['/api/v1/things/x/parts/y', '/api/v1/things/:id/parts/:partId', 'GET HEAD'],
  ['/health/live', '/health/live', 'GET HEAD'],
  ['/pages', '/pages', 'GET HEAD'],
  ['/pages/', '/pages', 'GET HEAD'],
  ['/pages/files/x', '/pages/files/:file', 'GET HEAD'],
  ['/pages/x', '/pages/{*path}', 'GET HEAD'],
  ['/pages/x/y/z/', '/pages/{*path}', 'GET HEAD'],
  ['/pagesx', undefined, ''],
  ['/', undefined, ''],
  ['', undefined, ''],
  ['/health', undefined, ''],
  ['/health/live/x', undefined, ''],
  ['/api/v1/things//', undefined, ''],
  ['/api/v1//things', undefined, ''],
  ['//api/v1/things', undefined, ''],
  ['/api/v1/Things', undefined, ''],
  ['/api/v1/thing%73', undefined, ''],
  ['/api/v1/things/x/parts', undefined, ''],
  ['/api/v1/things//parts/y', undefined, ''],
  ['/api/v1/things/x/parts/', undefined, ''],
  ['api/v1/things', undefined, ''],
  ['*', undefined, ''],
  ['/__proto__', undefined, ''],
])('the path %s has the route %s with the methods %s', (path, template, methods) => {
  const route = routes.find(path);
  expect(route?.template).toBe(template);
  expect([...(route?.methods ?? [])].sort().join(' ')).toBe(methods);
});
