import 'reflect-metadata';
import { NestFactory, SerializedGraph } from '@nestjs/core';
import { AdminModule } from '../../src/app/admin-services';
import { AppModule } from '../../src/app/app.module';
import { readConfig } from '../../src/app/config';
import { Log } from '../../src/platform/observability/log';

/** The modules of the application by their names, without instances. */
async function modulesOf(root: typeof AppModule | typeof AdminModule) {
  const environment = { config: readConfig({}), database: { url: '', directUrl: '' }, log: new Log('silent') };
  const app = await NestFactory.create(root.with(environment), { preview: true, snapshot: true, logger: false });
  const { nodes } = JSON.parse(app.get(SerializedGraph).toString()) as {
    nodes: Record<string, { label: string; metadata: { type: string; global?: boolean; internal?: boolean } }>;
  };
  return Object.values(nodes).filter(({ metadata }) => metadata.type === 'module' && !metadata.internal);
}

test("settings are the only global module besides TypeORM's", async () => {
  const globals = (await modulesOf(AppModule)).filter(({ metadata }) => metadata.global);
  expect(globals.map(({ label }) => label).sort()).toEqual(['SettingsModule', 'TypeOrmCoreModule']);
});

test('the admin program opens no listener, change listener or Redis', async () => {
  const names = (await modulesOf(AdminModule)).map(({ label }) => label);
  expect(names).toContain('ApiKeysModule');
  for (const name of ['ChangeListenerModule', 'LinkTrafficModule', 'RateLimitModule'])
    expect(names).not.toContain(name);
});
