import { type Command, yesOption } from './command.js';
import { confirm, requireAnswerer } from './confirm.js';
import { exitCodes } from './exit-codes.js';
import { idOfNamedLink, namedLinkHelp } from './named-link.js';
import { counted } from './text.js';

export const linksDelete: Command = {
  name: 'links delete',
  summary: 'delete links',
  description: `${namedLinkHelp} Visitors of a deleted link get 404. Use bulk for many links.`,
  positionals: [{ name: 'LINK', many: true }],
  options: yesOption,
  examples: ['signpost links delete external:crm-4711 --yes'],
  async run(context) {
    const { io, args } = context;
    requireAnswerer(io, args);
    const service = await context.connect();
    const named: string[] = [];
    for (const name of args.positionals) named.push(await idOfNamedLink(service, name));
    // Two names may be those of one link, which can be deleted once.
    const ids = [...new Set(named.map((id) => id.toLowerCase()))];
    await confirm(io, args, `Delete ${counted(ids.length, 'link')}?`);
    const deleted: string[] = [];
    try {
      for (const linkId of ids) {
        const params = { path: { ...service.path, linkId } };
        const request = () => service.client.DELETE('/projects/{projectId}/links/{linkId}', { params });
        // A repetition would answer 404.
        await service.send(request, { isRepeatable: false });
        deleted.push(linkId);
        if (!context.isJson) context.print(`Deleted ${linkId}\n`);
      }
    } finally {
      // A later failure restores none of them.
      if (context.isJson && deleted.length > 0) context.printJson({ deleted });
    }
    return exitCodes.done;
  },
};
