import type { operations } from '../index.js';
import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { idOfNamedLink, namedLinkHelp } from './named-link.js';

type Query = NonNullable<operations['explainVisit']['parameters']['query']>;

export const linksExplain: Command = {
  name: 'links explain',
  summary: 'explain what a visitor of a link gets',
  description: `${namedLinkHelp} It counts no click. With --app-version, it also examines what an installed version opens, as recorded by \`app release\`.`,
  positionals: [{ name: 'LINK' }],
  isReadOnly: true,
  options: {
    platform: { value: 'PLATFORM', choices: ['ios', 'ipados', 'android', 'desktop'], help: 'ios by default' },
    country: { value: 'CODE', help: 'country of the visitor, such as DE' },
    'app-version': { value: 'VERSION', help: 'version of the app that is installed' },
    host: { value: 'HOST', help: 'host of the URL, for --app-version; that of the link by default' },
  },
  examples: ['signpost links explain external:crm-4711 --platform android --app-version 1.2.3'],
  async run(context) {
    const { args } = context;
    const service = await context.connect();
    const { client, path, send } = service;
    const linkId = await idOfNamedLink(service, args.positionals[0]!);
    const version = args.text('app-version');
    const query: Query = {
      platform: (args.text('platform') ?? 'ios') as Query['platform'],
      country: args.text('country'),
      app_version: version,
      host: args.text('host'),
    };
    const { data } = await send(() =>
      client.GET('/projects/{projectId}/links/{linkId}/explain', { params: { path: { ...path, linkId }, query } }),
    );
    if (context.isJson) {
      context.printJson(data);
      return exitCodes.done;
    }
    const { answer, apps, releases, steps } = data;
    context.printFields({
      url: data.url,
      answer: answer.location ?? answer.page?.title ?? answer.kind,
      apps: apps.map((app) => `${app.name} (${app.platform})`).join(', ') || null,
    });
    const taken = steps.filter(({ outcome }) => outcome !== 'passed').map(({ rule, reason }) => `${rule}: ${reason}`);
    const examined = releases.flatMap((release) => [
      `${release.platform} ${release.version} ${release.opens ? 'opens' : 'does not open'} the link.`,
      ...release.steps.map(({ passed, reason }) => `  ${passed ? 'yes' : 'no '} ${reason}`),
    ]);
    context.print(`${[...taken, ...examined].join('\n')}\n`);
    if (version !== undefined && releases.length === 0) context.note(`No release ${version} is recorded.`);
    return exitCodes.done;
  },
};
