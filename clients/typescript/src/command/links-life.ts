import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { idOfNamedLink, namedLinkHelp } from './named-link.js';

export const linksLife: Command = {
  name: 'links life',
  summary: 'show whether a link has ended, and its used clicks',
  description: namedLinkHelp,
  positionals: [{ name: 'LINK' }],
  isReadOnly: true,
  options: {},
  examples: ['signpost links life external:crm-4711'],
  async run(context) {
    const service = await context.connect();
    const { client, path, send } = service;
    const linkId = await idOfNamedLink(service, context.args.positionals[0]!);
    const params = { path: { ...path, linkId } };
    const { data } = await send(() => client.GET('/projects/{projectId}/links/{linkId}/life', { params }));
    if (context.isJson) context.printJson(data);
    else context.printFields(data);
    return exitCodes.done;
  },
};
