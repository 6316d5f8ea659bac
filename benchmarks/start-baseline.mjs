import { createRequire } from 'node:module';

// Runs a baseline of bench:start: a bare node:http server, or a Nest application without modules. Both are CommonJS, as the service.
const require = createRequire(import.meta.url);

async function listening() {
  if (process.env.BASELINE === 'node') {
    const server = require('node:http').createServer((_, response) => response.end());
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }
  require('reflect-metadata');
  const { Module } = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  class AppModule {}
  Module({})(AppModule);
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer();
}

const server = await listening();
process.stdout.write(`{"port":${server.address().port}}\n`);
process.on('SIGTERM', () => process.exit(0));
