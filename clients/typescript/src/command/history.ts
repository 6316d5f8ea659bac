import type { JournalEntry, JournalPage } from '../index.js';
import { wholeNumber } from './arguments.js';
import { acknowledgeOption, type Command, type Options, yesOption } from './command.js';
import { confirm, requireAnswerer } from './confirm.js';
import type { Context } from './context.js';
import { exitCodes } from './exit-codes.js';
import { UsageFailure } from './failures.js';
import { idOfNamedLink, namedLinkHelp } from './named-link.js';
import { saveBody } from './output-file.js';

const filters: Options = {
  type: { value: 'TYPE', help: 'kind of the resource, such as link, or type, such as link.deleted' },
  actor: { value: 'ID', help: 'only changes of this user, API key or import' },
  from: { value: 'TIME', help: 'start of the period, such as 2026-06-01T00:00:00Z' },
  to: { value: 'TIME', help: 'end of the period; now by default' },
};

const paging: Options = {
  limit: { value: 'N', help: 'entries: 20 by default, 100 at most' },
  cursor: { value: 'N', help: 'only entries before this number' },
};

const filtersOf = ({ args }: Context) => ({
  type: args.text('type'),
  actor_id: args.text('actor'),
  from: args.text('from'),
  to: args.text('to'),
});

const pageOf = ({ args }: Context) => ({
  limit: args.number('limit', { min: 1, max: 100 }),
  cursor: args.number('cursor', { min: 1, max: Number.MAX_SAFE_INTEGER }),
});

function print(context: Context, page: JournalPage): void {
  if (context.isJson) {
    context.printJson(page);
    return;
  }
  const { data, pagination } = page;
  if (data.length > 0)
    context.printTable(
      ['NUMBER', 'TIME', 'WHO', 'TYPE', 'RESOURCE', 'CHANGE'],
      data.map((entry) => [entry.sequence, entry.at, whoOf(entry), entry.type, resourceOf(entry), changeOf(entry)]),
    );
  if (pagination.hasNextPage) context.note(`Further entries: add --cursor ${pagination.nextCursor}`);
}

const whoOf = ({ actor, actor_name: name }: JournalEntry): string => name ?? actor.kind;

const resourceOf = ({ resource_id: id, resource_name: name, resource_count: count }: JournalEntry): string =>
  id === null ? `${count} resources` : [id, name].filter((part) => part !== null).join(' ');

/** Returns the new value of each field of an update. */
const changeOf = ({ before, after }: JournalEntry): string =>
  before && after
    ? Object.entries(after)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(' ')
    : '';

export const history: Command = {
  name: 'history',
  summary: 'list changes of the project, or of a link',
  description: `The newest changes come first. ${namedLinkHelp}`,
  positionals: [{ name: 'LINK', isOptional: true }],
  isReadOnly: true,
  options: {
    ...filters,
    ...paging,
    resource: { value: 'ID', help: 'only changes of this resource' },
    restorable: { help: 'only deletions of 30 days that can be restored' },
  },
  examples: ['signpost history', 'signpost history summer', 'signpost history --restorable'],
  async run(context) {
    const { args } = context;
    const service = await context.connect();
    const [name] = args.positionals;
    const resource = name === undefined ? args.text('resource') : await idOfNamedLink(service, name);
    const query = {
      ...filtersOf(context),
      ...pageOf(context),
      resource_id: resource,
      restorable: args.flag('restorable'),
    };
    const { client, path } = service;
    print(context, await service.send(() => client.GET('/projects/{projectId}/history', { params: { path, query } })));
    return exitCodes.done;
  },
};

export const restore: Command = {
  name: 'restore',
  summary: 'undo a change of links or apps, or restore deleted ones',
  description:
    'NUMBER is that of the entry in the history. Only the fields that the entry changed get their former values.',
  positionals: [{ name: 'NUMBER' }],
  options: { ...acknowledgeOption, ...yesOption, resource: { value: 'ID', help: 'only this resource of a batch' } },
  examples: ['signpost restore 4712 --yes'],
  async run(context) {
    const { io, args } = context;
    requireAnswerer(io, args);
    const [text] = args.positionals as [string];
    const sequence = wholeNumber(text, { min: 1, max: Number.MAX_SAFE_INTEGER });
    if (sequence === null)
      throw new UsageFailure(`${text} is not the number of an entry; signpost history shows them.`);
    const service = await context.connect();
    const { client, path } = service;
    await confirm(io, args, `Undo entry ${sequence}?`);
    const resource = args.text('resource');
    const body = resource === undefined ? {} : { resource_id: resource };
    const params = { path: { ...path, sequence }, query: { acknowledge: args.text('acknowledge') } };
    // A repetition would be refused, because the resources exist again.
    const { data } = await service.send(
      () => client.POST('/projects/{projectId}/history/{sequence}/restore', { params, body }),
      { isRepeatable: false },
    );
    if (context.isJson) context.printJson(data);
    else context.print(`Restored ${data.restored}\n`);
    return exitCodes.done;
  },
};

export const auditLog: Command = {
  name: 'audit-log',
  summary: 'list changes of all resources of the account',
  description:
    'The newest changes come first. With --export, all entries are printed as lines of JSON, with each row of a batch.',
  isReadOnly: true,
  options: {
    ...filters,
    ...paging,
    resource: { value: 'ID', help: 'only changes of this resource' },
    export: { help: 'print all entries as NDJSON' },
  },
  examples: [
    'signpost audit-log --type api_key',
    'signpost audit-log --export --from 2026-06-01T00:00:00Z > audit-log.ndjson',
  ],
  async run(context) {
    const { args, io } = context;
    const service = await context.connectToAccount();
    const { client } = service;
    const query = { ...filtersOf(context), resource_id: args.text('resource') };
    if (args.flag('export')) {
      const params = { query };
      await saveBody(
        io,
        await service.send(() => client.GET('/account/audit-log/export', { params, parseAs: 'stream' })),
        undefined,
      );
      return exitCodes.done;
    }
    const params = { query: { ...query, ...pageOf(context) } };
    print(context, await service.send(() => client.GET('/account/audit-log', { params })));
    return exitCodes.done;
  },
};
