import type { AppBuild } from './app-build-record.js';
import { buildOptions, readBuilds } from './app-release.js';
import type { Command } from './command.js';
import type { Connection } from './connection.js';
import { exitCodes } from './exit-codes.js';
import { Failure, UsageFailure } from './failures.js';
import { findApp, foreignCertificateNote, foreignCertificates, type NamedApp } from './named-app.js';

export const appCheck: Command = {
  name: 'app check',
  summary: 'check that the project serves what an app opens',
  description:
    'Compares the build with the project: the app must be registered, and the project must answer on each host. With --ci, the exit code ' +
    'is 0 if the links of the build open the app, 1 if something is missing, and 2 if the command line, a file or the service is at fault.',
  isReadOnly: true,
  options: {
    ...buildOptions,
    ci: { help: 'exit code 1 if something is missing, and 2 if the service is unreachable' },
  },
  examples: ['signpost app check --ci', 'signpost app check --from ios/Shop/Shop.entitlements --app com.example.shop'],
  async run(context) {
    const isCi = context.args.flag('ci');
    try {
      const builds = await readBuilds(context);
      const service = await context.connect();
      const served = await servedHosts(service);
      const missing: string[] = [];
      for (const build of builds) {
        const app = await findApp(service, build, context.args.text('app'));
        missing.push(...missingOf(build, app, served, context.args.text('app')));
        if (app) for (const one of foreignCertificates(build, app)) context.note(foreignCertificateNote(one));
      }
      if (context.isJson) context.printJson({ missing });
      else context.print(missing.length === 0 ? 'The project serves what the app opens.\n' : `${missing.join('\n')}\n`);
      return isCi && missing.length > 0 ? exitCodes.failed : exitCodes.done;
    } catch (error) {
      if (isCi && error instanceof Failure && error.exitCode === exitCodes.unavailable)
        throw new UsageFailure(error.message);
      throw error;
    }
  },
};

/** Returns the host names on which the project answers. */
async function servedHosts({ client, path, send }: Connection): Promise<Set<string>> {
  const { data } = await send(() => client.GET('/projects/{projectId}/association-health', { params: { path } }));
  return new Set(data.hosts.filter(({ answers }) => answers).map(({ host }) => host.replace(/:\d+$/, '')));
}

function missingOf(
  { platform, hosts, identifier }: AppBuild,
  registered: NamedApp | null,
  served: ReadonlySet<string>,
  app: string | undefined,
): string[] {
  const unserved = hosts.filter((host) =>
    host.startsWith('*.') ? ![...served].some((one) => one.endsWith(host.slice(1))) : !served.has(host),
  );
  return [
    ...(registered === null ? [`The project has no ${platform} app ${app ?? String(identifier)}.`] : []),
    ...unserved.map((host) => `The project does not answer on ${host}, which the ${platform} app opens.`),
  ];
}
