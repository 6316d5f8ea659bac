import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { readNamedDomain } from './named-domain.js';

export const domainsVerify: Command = {
  name: 'domains verify',
  summary: 'verify a custom domain by its TXT record',
  description: 'HOST is the host name of the domain.',
  positionals: [{ name: 'HOST' }],
  options: {},
  examples: ['signpost domains verify links.example.com'],
  async run(context) {
    const service = await context.connect();
    const { id, hostname } = await readNamedDomain(service, context.args.positionals[0]!);
    const params = { path: { ...service.path, domainId: id } };
    const route = '/projects/{projectId}/custom-domains/{domainId}/verify';
    const { data } = await service.send(() => service.client.POST(route, { params }));
    if (context.isJson) context.printJson(data);
    else context.print(`${hostname} is verified\n`);
    return exitCodes.done;
  },
};
