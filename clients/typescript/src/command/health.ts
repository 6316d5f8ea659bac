import type { components } from '../schema.js';
import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';

type Health = components['schemas']['ServiceHealth'];

export const health: Command = {
  name: 'health',
  summary: 'show the service, what it depends on, and the work that waits or failed',
  description:
    'Asks one process. The work is that of the account, for keys that may read the audit log. Errors are in the metrics of each process.',
  positionals: [],
  isReadOnly: true,
  options: {},
  examples: ['signpost health --json'],
  async run(context) {
    const { client, send } = await context.connectToAccount();
    const { data } = await send(() => client.GET('/service-health'));
    if (context.isJson) context.printJson(data);
    else context.printFields(fieldsOf(data));
    return exitCodes.done;
  },
};

const fieldsOf = ({ version, status, dependencies, replicas, regions, queues }: Health): Record<string, unknown> => ({
  version,
  status,
  ...Object.fromEntries(dependencies.map(({ name, state }) => [name, state])),
  replicas: [replicas.length, ...new Set(replicas.map((replica) => replica.version))].join(' '),
  ...Object.fromEntries(regions.map(({ name, heartbeat_at: at }) => [`region_${name}`, `heartbeat ${at}`])),
  ...Object.fromEntries(
    (queues ?? []).map(({ name, waiting, waiting_since: since, failed }) => [
      name,
      `${waiting} waiting${since === null ? '' : ` since ${since}`}, ${failed} failed`,
    ]),
  ),
});
