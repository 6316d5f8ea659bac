import 'reflect-metadata';
import type { Server } from 'node:http';
import {
  All,
  Controller,
  Delete,
  Get,
  type INestApplication,
  type MiddlewareConsumer,
  Module,
  Param,
  Post,
  Query,
  Req,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express, { type Request, type RequestHandler } from 'express';
import supertest from 'supertest';
import { DirectRoutes } from '../../../src/management-api/pipeline/direct-routes';
import { JsonAdapter } from '../../../src/management-api/pipeline/json-adapter';

const answer = (name: string, params: object, query: object, request: Request) => ({
  data: { name, params, query, route: (request.route as { path: string }).path, url: request.originalUrl },
});

@Controller('things')
class ThingsController {
  @Get()
  list(@Param() params: object, @Query() query: object, @Req() request: Request) {
    return answer('list', params, query, request);
  }
  @Post()
  create(@Param() params: object, @Query() query: object, @Req() request: Request) {
    return answer('create', params, query, request);
  }
  @Get(':id')
  get(@Param() params: object, @Query() query: object, @Req() request: Request) {
    return answer('get', params, query, request);
  }
  @Get('latest')
  latest(@Param() params: object, @Query() query: object, @Req() request: Request) {
    return answer('latest', params, query, request);
  }
  @Delete(':id/parts/:partId')
  deletePart(@Param() params: object, @Query() query: object, @Req() request: Request) {
    return answer('deletePart', params, query, request);
  }
}

@Controller()
class RestController {
  @All('{*path}')
  rest(@Req() request: Request) {
    return { data: { name: 'rest', method: request.method, path: request.path } };
  }
}

@Controller('late')
class LateController {
  @Get()
  get() {
    return { data: { name: 'late' } };
  }
}

const controllers = [ThingsController, RestController, LateController];

@Module({ controllers })
class ThingsModule {}

const seen: string[] = [];

@Module({ controllers })
class ModuleWithMiddleware {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(((request, _response, next) => {
        seen.push(request.originalUrl);
        next();
      }) as RequestHandler)
      .forRoutes('things');
  }
}

async function anApp(module: object): Promise<INestApplication> {
  const server = express();
  server.set('case sensitive routing', true);
  server.set('query parser', 'simple');
  const app = await NestFactory.create(module, new JsonAdapter(server), { logger: false, bodyParser: false });
  await app.listen(0, '127.0.0.1');
  return app;
}

/** Sends each request and returns the status and the body of each answer. */
async function answersOf(app: INestApplication): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const [method, path] of requests) {
    const { status, body } = await supertest(app.getHttpServer() as Server)[method](path);
    answers.push([method, path, status, body]);
  }
  return answers;
}

const requests: ['get' | 'post' | 'delete' | 'head' | 'put' | 'options', string][] = [
  ['get', '/things'],
  ['get', '/things/'],
  ['get', '/things?page=2&page=3&x'],
  ['post', '/things'],
  ['put', '/things'],
  ['head', '/things'],
  ['options', '/things'],
  ['get', '/Things'],
  ['get', '//things'],
  ['get', '/things//'],
  ['get', '/things/7'],
  ['get', '/things/7/'],
  ['get', '/things/latest'],
  ['get', '/things/constructor'],
  ['get', '/things/__proto__'],
  ['get', '/things/a%2Fb'],
  ['get', '/things/%7B7%7D?x=%20'],
  ['get', '/things/:id'],
  ['delete', '/things/7/parts/8'],
  ['delete', '/things/7/parts/'],
  ['delete', '/things//parts/8'],
  ['get', '/late'],
  ['get', '/'],
  ['get', '/nothing/here'],
];

test('direct routes answer as Express does', async () => {
  const direct = await anApp(ThingsModule);
  const add = jest.spyOn(DirectRoutes.prototype, 'add').mockImplementation(() => {});
  const indirect = await anApp(ThingsModule);
  add.mockRestore();
  try {
    const answers = await answersOf(direct);
    expect(answers).toEqual(await answersOf(indirect));
    // The wild card comes before this route, so it answers.
    expect(answers).toContainEqual(['get', '/late', 200, { data: { name: 'rest', method: 'GET', path: '/late' } }]);
  } finally {
    await direct.close();
    await indirect.close();
  }
});

test('direct routes pass a plain path on without Express', async () => {
  const handle = jest.fn();
  const app = { request: {}, response: {} };
  const routes = new DirectRoutes(Object.assign(handle, app) as never);
  const called: unknown[] = [];
  routes.add('GET', '/things/:id', ((request: Request) => called.push(request.params)) as RequestHandler);
  const send = (method: string, path: string) => routes.listener({ method, path, url: path } as never, {} as never);
  send('GET', '/things/7');
  expect(called).toEqual([{ id: '7' }]);
  expect(handle).not.toHaveBeenCalled();
  for (const [method, path] of [
    ['GET', '/things/%37'],
    ['GET', '/things/7/'],
    ['HEAD', '/things/7'],
  ])
    send(method!, path!);
  expect(called).toHaveLength(1);
  expect(handle).toHaveBeenCalledTimes(3);
});

test('middleware runs for all of its routes', async () => {
  const app = await anApp(ModuleWithMiddleware);
  try {
    await supertest(app.getHttpServer() as Server)
      .get('/things/7')
      .expect(200);
    expect(seen).toEqual(['/things/7']);
  } finally {
    await app.close();
  }
});
