import type { components } from '../index.js';
import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { linkFields } from './link-fields.js';
import { creationOptions, readCreation } from './body-input.js';

export const linksCreate: Command = {
  name: 'links create',
  summary: 'create a link',
  options: {
    ...creationOptions(linkFields),
    'idempotency-key': { value: 'KEY', help: 'key that makes a repetition return the first link' },
  },
  examples: [
    'signpost links create --name "Summer sale" --desktop-url https://shop.example.com/sale --tag Summer',
    'signpost links create --data link.json --json',
  ],
  async run(context) {
    const body = (await readCreation(linkFields, context)) as components['schemas']['CreateDynamicLinkBody'];
    const service = await context.connect();
    const header = { 'Idempotency-Key': readIdempotencyKey(context.args) };
    const params = { path: service.path, header };
    const { data } = await service.send(() => service.client.POST('/projects/{projectId}/links', { params, body }));
    if (context.isJson) context.printJson(data);
    else context.printFields({ id: data.id, name: data.name, full_url: data.full_url });
    return exitCodes.done;
  },
};
