import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { readIdempotencyKey } from './idempotency-key.js';

export const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'replace an API key by a successor',
  description:
    'API-KEY is the id of the API key. The successor has the same limits. Both work until the overlap ends. ' +
    'The service expects the token of a person who is signed in to the console as --key, instead of an API key.',
  positionals: [{ name: 'API-KEY' }],
  options: {
    'overlap-hours': { value: 'N', help: 'hours in which both keys work: 24 by default, 720 at most' },
    'idempotency-key': { value: 'KEY', help: 'key that makes a repetition return the first successor' },
  },
  examples: ['signpost keys rotate 0198c0de-7e57-7000-8000-000000000004 --overlap-hours 2'],
  async run(context) {
    const { args } = context;
    const overlap = args.number('overlap-hours', { min: 0, max: 720 });
    const { client, send } = await context.connectToAccount();
    const params = {
      path: { apiKeyId: args.positionals[0]! },
      header: { 'Idempotency-Key': readIdempotencyKey(args) },
    };
    const body = overlap === undefined ? {} : { overlap_hours: overlap };
    const { data } = await send(() => client.POST('/account/api-keys/{apiKeyId}/rotate', { params, body }));
    if (context.isJson) context.printJson(data);
    else context.printFields(data);
    return exitCodes.done;
  },
};
