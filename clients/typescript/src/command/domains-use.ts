import { type Command, yesOption } from './command.js';
import { confirm } from './confirm.js';
import { exitCodes } from './exit-codes.js';
import { checkDomain, readNamedDomain, warningOf } from './named-domain.js';

export const domainsUse: Command = {
  name: 'domains use',
  summary: 'use a custom domain in all links',
  description:
    'HOST is the host name of the domain. The command asks before it uses a domain on which the project does not answer.',
  positionals: [{ name: 'HOST' }],
  options: yesOption,
  examples: ['signpost domains use links.example.com'],
  async run(context) {
    const service = await context.connect();
    const domain = await readNamedDomain(service, context.args.positionals[0]!);
    const { hostname } = domain;
    const warning = warningOf(hostname, (await checkDomain(service, domain)).visit);
    if (warning !== null) {
      context.note(warning);
      await confirm(context.io, context.args, `Use ${hostname} in all links?`);
    }
    const params = { path: { ...service.path, domainId: domain.id } };
    const route = '/projects/{projectId}/custom-domains/{domainId}';
    const { data } = await service.send(() => service.client.PUT(route, { params, body: { active: true } }));
    if (context.isJson) context.printJson(data);
    else context.print(`All links use ${hostname}\n`);
    return exitCodes.done;
  },
};
