import { readUpdate, updateOptions } from './body-input.js';
import { acknowledgeOption, type Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { linkFields } from './link-fields.js';
import { idOfNamedLink, namedLinkHelp } from './named-link.js';

export const linksUpdate: Command = {
  name: 'links update',
  summary: 'change fields of a link',
  description: `${namedLinkHelp} Fields that no option names stay as they are. Tags and parameters replace all former ones.`,
  positionals: [{ name: 'LINK' }],
  options: { ...updateOptions(linkFields), ...acknowledgeOption },
  examples: [
    'signpost links update external:crm-4711 --archived true',
    'signpost links update external:crm-4711 --clear notes --clear tags',
  ],
  async run(context) {
    const body = await readUpdate(linkFields, context);
    const service = await context.connect();
    const linkId = await idOfNamedLink(service, context.args.positionals[0]!);
    const query = { acknowledge: context.args.text('acknowledge') };
    const params = { path: { ...service.path, linkId }, query };
    const { data } = await service.send(() =>
      service.client.PUT('/projects/{projectId}/links/{linkId}', { params, body }),
    );
    if (context.isJson) context.printJson(data);
    else
      context.printFields(Object.fromEntries(Object.entries(data).filter(([name]) => name === 'id' || name in body)));
    return exitCodes.done;
  },
};
