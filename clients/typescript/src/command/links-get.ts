import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { namedLinkHelp, readNamedLink } from './named-link.js';

export const linksGet: Command = {
  name: 'links get',
  summary: 'show a link',
  description: namedLinkHelp,
  positionals: [{ name: 'LINK' }],
  isReadOnly: true,
  options: {},
  examples: ['signpost links get external:crm-4711', 'signpost links get external:crm-4711 --json'],
  async run(context) {
    const link = await readNamedLink(await context.connect(), context.args.positionals[0]!);
    if (context.isJson) context.printJson(link);
    else {
      const { ios_apps: iosApp, android_apps: androidApp, ...fields } = link;
      context.printFields({
        ...fields,
        ios_bundle_id: iosApp?.bundle_id ?? null,
        android_package_name: androidApp?.package_name ?? null,
      });
    }
    return exitCodes.done;
  },
};
