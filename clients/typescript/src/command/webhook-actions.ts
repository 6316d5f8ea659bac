import type { WebhookDelivery } from '../index.js';
import type { Command } from './command.js';
import type { Context } from './context.js';
import { exitCodes } from './exit-codes.js';
import { UsageFailure } from './failures.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { counted } from './text.js';

const positionals = [{ name: 'WEBHOOK' }];
const named = 'WEBHOOK is the id of the webhook.';
const id = '0198c0de-7e57-7000-8000-00000000000a';

function print(context: Context, data: object): void {
  if (context.isJson) context.printJson(data);
  else context.printFields(data as Record<string, never>);
}

const rotate: Command = {
  name: 'webhooks rotate',
  summary: 'replace the secret of a webhook',
  description: `${named} For a day, events have signatures by both secrets.`,
  positionals,
  options: { 'idempotency-key': { value: 'KEY', help: 'key that makes a repetition change nothing' } },
  examples: [`signpost webhooks rotate ${id}`],
  async run(context) {
    const { client, send } = await context.connectToAccount();
    const path = { webhookId: context.args.positionals[0]! };
    const params = { path, header: { 'Idempotency-Key': readIdempotencyKey(context.args) } };
    print(context, (await send(() => client.POST('/account/webhooks/{webhookId}/rotate-secret', { params }))).data);
    return exitCodes.done;
  },
};

const test: Command = {
  name: 'webhooks test',
  summary: 'send a test event to a webhook',
  description: `${named} The command shows the answer. Its exit code is 1 if the event was not delivered.`,
  positionals,
  options: {},
  examples: [`signpost webhooks test ${id}`],
  async run(context) {
    const { client, send } = await context.connectToAccount();
    const params = { path: { webhookId: context.args.positionals[0]! } };
    const { data } = await send(() => client.POST('/account/webhooks/{webhookId}/test', { params }), {
      isRepeatable: false,
    });
    print(context, data);
    return data.delivered ? exitCodes.done : exitCodes.failed;
  },
};

const deliveries: Command = {
  name: 'webhooks deliveries',
  summary: 'list what was sent to a webhook',
  description: `${named} The newest deliveries come first.`,
  positionals,
  isReadOnly: true,
  options: {
    state: { value: 'STATE', choices: ['waiting', 'delivered', 'failed'], help: 'only deliveries in this state' },
    page: { value: 'N', help: 'page, from 1' },
    limit: { value: 'N', help: 'deliveries per page: 20 by default, 100 at most' },
  },
  examples: [`signpost webhooks deliveries ${id} --state waiting`],
  async run(context) {
    const { args } = context;
    const query = {
      state: args.text('state') as WebhookDelivery['state'] | undefined,
      page: args.number('page', { min: 1, max: Number.MAX_SAFE_INTEGER }) ?? 1,
      limit: args.number('limit', { min: 1, max: 100 }) ?? 20,
    };
    const { client, send } = await context.connectToAccount();
    const params = { path: { webhookId: args.positionals[0]! }, query };
    const page = await send(() => client.GET('/account/webhooks/{webhookId}/deliveries', { params }));
    if (context.isJson) context.printJson(page);
    else {
      const rows = page.data.map((one) => [
        one.id,
        one.event_id,
        one.type,
        one.state,
        one.attempts,
        one.status ?? one.failure,
        one.last_attempt_at,
      ]);
      const heads = ['ID', 'EVENT', 'TYPE', 'STATE', 'ATTEMPTS', 'ANSWER', 'LAST ATTEMPT'];
      if (rows.length > 0) context.printTable(heads, rows);
      context.note(counted(page.pagination.total, 'delivery'));
    }
    return exitCodes.done;
  },
};

const redeliver: Command = {
  name: 'webhooks redeliver',
  summary: 'send an event again, or all since a time',
  description: `${named} Repeated events have the same id, so receivers recognise them.`,
  positionals: [...positionals, { name: 'DELIVERY', isOptional: true }],
  options: { since: { value: 'TIME', help: 'start of the period, such as 2026-06-01T00:00:00Z' } },
  examples: [`signpost webhooks redeliver ${id} --since 2026-06-01T00:00:00Z`],
  async run(context) {
    const { args } = context;
    const [webhookId, deliveryId] = args.positionals as [string, string?];
    const since = args.text('since');
    if ((deliveryId === undefined) === (since === undefined))
      throw new UsageFailure('Name a delivery, or send all events again with --since TIME.');
    const { client, send } = await context.connectToAccount();
    if (deliveryId === undefined) {
      const params = { path: { webhookId } };
      const sent = await send(() =>
        client.POST('/account/webhooks/{webhookId}/replay', { params, body: { since: since! } }),
      );
      print(context, sent.data);
    } else {
      const params = { path: { webhookId, deliveryId } };
      const route = '/account/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver';
      print(context, (await send(() => client.POST(route, { params }))).data);
    }
    return exitCodes.done;
  },
};

export const webhookActions = [rotate, test, deliveries, redeliver];
