import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { namedLinkHelp, readNamedLink } from './named-link.js';

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
    const { id } = await readNamedLink(service, context.args.positionals[0]!);
    const { client, path, send } = service;
    const params = { path: { ...path, linkId: id } };
    const { data } = await send(() => client.GET('/projects/{projectId}/links/{linkId}/life', { params }));
    if (context.isJson) context.printJson(data);
    else context.printFields(data);
    return exitCodes.done;
  },
};
