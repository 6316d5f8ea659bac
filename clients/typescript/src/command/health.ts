import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';

export const health: Command = {
  name: 'health',
  summary: 'show the version of the service, and what it depends on',
  description: 'Asks one process. Other replicas and failures are in the metrics of each process.',
  positionals: [],
  isReadOnly: true,
  options: {},
  examples: ['signpost health --json'],
  async run(context) {
    const { client, send } = await context.connectToAccount();
    const { data } = await send(() => client.GET('/service-health'));
    if (context.isJson) context.printJson(data);
    else {
      const { dependencies, ...service } = data;
      context.printFields({ ...service, ...Object.fromEntries(dependencies.map(({ name, state }) => [name, state])) });
    }
    return exitCodes.done;
  },
};
