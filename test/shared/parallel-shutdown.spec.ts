import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ParallelShutdown } from '../../src/shared/parallel-shutdown';

const ended: string[] = [];
let begin = (): void => {};
const lowHasBegun = new Promise<void>((resolve) => (begin = resolve));

@Module({})
class LowModule extends ParallelShutdown {
  async stop(): Promise<void> {
    begin();
    await Promise.resolve();
    ended.push('low');
  }
}

@Module({ imports: [LowModule] })
class HighModule extends ParallelShutdown {
  async stop(): Promise<void> {
    // Nest calls the hook of the other module after that of this one.
    await lowHasBegun;
    ended.push('high');
  }
}

test('modules end their work together', async () => {
  const app = await NestFactory.createApplicationContext(HighModule, { logger: false });
  await app.close();
  expect(ended.sort()).toEqual(['high', 'low']);
});

test('an error is that of the last hook', async () => {
  class FailingModule extends ParallelShutdown {
    stop(): Promise<void> {
      return Promise.reject(new Error('a last write failed'));
    }
  }
  const failing = new FailingModule();
  failing.beforeApplicationShutdown();
  await new Promise((resolve) => setImmediate(resolve));
  await expect(failing.onApplicationShutdown()).rejects.toThrow('a last write failed');
});
