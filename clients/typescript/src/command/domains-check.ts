import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { checkDomain, printRecords, readNamedDomain } from './named-domain.js';

export const domainsCheck: Command = {
  name: 'domains check',
  summary: 'show the DNS records of a custom domain',
  description:
    'HOST is the host name of the domain. The service compares its records with the DNS, and visits it if it is verified.',
  positionals: [{ name: 'HOST' }],
  isReadOnly: true,
  options: {},
  examples: ['signpost domains check links.example.com'],
  async run(context) {
    const service = await context.connect();
    const domain = await readNamedDomain(service, context.args.positionals[0]!);
    const checked = await checkDomain(service, domain);
    if (context.isJson) context.printJson(checked);
    else printRecords(context, domain, checked);
    return exitCodes.done;
  },
};
