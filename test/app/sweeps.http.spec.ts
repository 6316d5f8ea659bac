import { ModulesContainer } from '@nestjs/core';
import { Sweep } from '../../src/shared/sweep';
import { serviceFixture } from '../support/fixtures';

const on = serviceFixture();

// They run each half minute, so that no other test would notice that one fails.
test('each task that runs at intervals runs without an error', async () => {
  const providers = [...on.service.app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.providers.values(),
  ]);
  const sweeps = new Set(providers.map(({ instance }) => instance).filter((one) => one instanceof Sweep));
  expect(sweeps.size).toBeGreaterThan(8);
  for (const sweep of sweeps) await sweep.sweep();
  expect(on.logLines.filter((line) => line.includes('failed'))).toEqual([]);
});
