import { allItems, type PageQuery } from './all-pages.js';
import { readAppBuilds } from './app-build.js';
import type { AppBuild } from './app-build-record.js';
import type { Command, Options } from './command.js';
import type { Connection } from './connection.js';
import type { Context } from './context.js';
import { exitCodes } from './exit-codes.js';
import { UsageFailure } from './failures.js';
import { findApp, foreignCertificateNote, foreignCertificates } from './named-app.js';

/** Options of the commands that read a build. */
export const buildOptions: Options = {
  from: {
    value: 'FILE',
    many: true,
    help: 'app.json, *.entitlements, *.plist, AndroidManifest.xml, .ipa, .apk or a folder; . by default',
  },
  platform: { value: 'PLATFORM', choices: ['ios', 'android'], help: 'only the build of the platform; both by default' },
  app: { value: 'APP', help: 'id, bundle id or package name of the app, if the files lack it' },
  'app-version': { value: 'VERSION', help: 'version of the app, if the files lack it' },
};

export async function readBuilds({ args }: Context): Promise<AppBuild[]> {
  const files = args.list('from');
  const builds = await readAppBuilds(files.length > 0 ? files : ['.']);
  const platform = args.text('platform');
  const ofPlatform = builds.filter((build) => platform === undefined || build.platform === platform);
  if (ofPlatform.length === 0)
    throw new UsageFailure(`The files name no host that an app of the platform ${platform} opens.`);
  if (ofPlatform.length > 1 && args.text('app') !== undefined)
    throw new UsageFailure('The files have builds of both platforms; add --platform to --app.');
  const version = args.text('app-version');
  return ofPlatform.map((build) => ({ ...build, version: version ?? build.version }));
}

export const appRelease: Command = {
  name: 'app release',
  summary: 'record a released version of an app',
  description:
    'Reads what the build opens, and records it under its version. A version that is recorded already is replaced, so a pipeline may ' +
    'repeat the command. Later changes of the project that break the version are reported or refused.',
  options: {
    ...buildOptions,
    'sha-fingerprint': {
      value: 'HEX',
      many: true,
      help: 'SHA-256 fingerprint of a certificate; by default that of the .apk, or those of the app',
    },
  },
  examples: [
    'signpost app release',
    'signpost app release --from build/Shop.ipa --from build/shop.apk',
    'signpost app release --from android/app/src/main/AndroidManifest.xml --app-version 1.2.3',
  ],
  async run(context) {
    const builds = await readBuilds(context);
    const service = await context.connect();
    const recorded = [];
    for (const build of builds) {
      const { platform, identifier, version, hosts, paths } = build;
      if (version === null)
        throw new UsageFailure(`The files have no version of the ${platform} app; add --app-version.`);
      const app = await findApp(service, build, context.args.text('app'));
      if (app === null)
        throw new UsageFailure(`The project has no ${platform} app ${String(identifier)}; register it first.`);
      const foreign = foreignCertificates(build, app);
      for (const one of foreign) context.note(foreignCertificateNote(one));
      const named = context.args.list('sha-fingerprint');
      const fingerprints = named.length > 0 || foreign.length > 0 ? named : (build.fingerprints ?? []);
      const body = {
        version,
        hosts,
        paths,
        ...(identifier !== null && { [platform === 'ios' ? 'bundle_id' : 'package_name']: identifier }),
        ...(platform === 'android' && fingerprints.length > 0 && { sha_fingerprints: fingerprints }),
      };
      await recordRelease(service, platform, app.id, body);
      recorded.push({ platform, app_id: app.id, version, hosts, paths });
      if (!context.isJson) context.print(`Recorded ${platform} ${version}: ${hosts.join(', ')}\n`);
    }
    if (context.isJson) context.printJson({ releases: recorded });
    return exitCodes.done;
  },
};

interface ReleaseBody {
  version: string;
  hosts: string[];
  paths: string[] | null;
}

async function recordRelease(
  { client, path, send }: Connection,
  platform: AppBuild['platform'],
  appId: string,
  { paths, ...others }: ReleaseBody,
): Promise<void> {
  const params = { path: { ...path, appId } };
  const read = (query: PageQuery) =>
    platform === 'ios'
      ? send(() => client.GET('/projects/{projectId}/ios-apps/{appId}/releases', { params: { ...params, query } }))
      : send(() => client.GET('/projects/{projectId}/android-apps/{appId}/releases', { params: { ...params, query } }));
  let releaseId: string | null = null;
  for await (const { id, version } of allItems<{ id: string; version: string }>(read))
    if (version === others.version) releaseId = id;
  if (releaseId === null) {
    // A creation takes no null.
    const body = { ...others, ...(paths !== null && { paths }) };
    await (platform === 'ios'
      ? send(() => client.POST('/projects/{projectId}/ios-apps/{appId}/releases', { params, body }))
      : send(() => client.POST('/projects/{projectId}/android-apps/{appId}/releases', { params, body })));
    return;
  }
  const one = { path: { ...params.path, releaseId } };
  const body = { ...others, paths, retired: false };
  await (platform === 'ios'
    ? send(() => client.PUT('/projects/{projectId}/ios-apps/{appId}/releases/{releaseId}', { params: one, body }))
    : send(() => client.PUT('/projects/{projectId}/android-apps/{appId}/releases/{releaseId}', { params: one, body })));
}
