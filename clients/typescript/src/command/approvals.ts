import type { Approval } from '../index.js';
import { acknowledgeOption, type Command } from './command.js';
import { exitCodes } from './exit-codes.js';

const token =
  'The service expects the token of a person who is signed in to the console as --key, instead of an API key.';
const ids = [{ name: 'APPROVAL' }];
const example = '0198c0de-7e57-7000-8000-0000000000a9';

export const approvalsList: Command = {
  name: 'approvals list',
  summary: 'list changes that wait for a second person',
  description: `The newest come first, with those that were decided. ${token}`,
  positionals: [],
  isReadOnly: true,
  options: { page: { value: 'N', help: 'page of 100 approvals: 1 by default' } },
  examples: ['signpost approvals list'],
  async run(context) {
    const { client, send } = await context.connectToAccount();
    const page = context.args.number('page', { min: 1, max: Number.MAX_SAFE_INTEGER });
    const query = { page, limit: 100 };
    const answer = await send(() => client.GET('/account/approvals', { params: { query } }));
    if (context.isJson) context.printJson(answer);
    else if (answer.data.length > 0)
      context.printTable(['ID', 'STATE', 'OPERATION', 'RESOURCE', 'BY', 'UNTIL'], answer.data.map(rowOf));
    return exitCodes.done;
  },
};

const rowOf = (approval: Approval): string[] => [
  approval.id,
  approval.state,
  approval.operation,
  approval.resource_name ?? approval.resource_id ?? '',
  approval.requested_by_name ?? approval.requested_by,
  approval.expires_at,
];

export const approvalsApprove: Command = {
  name: 'approvals approve',
  summary: 'approve and make a change that another person requested',
  description: `APPROVAL is the id of the approval. ${token}`,
  positionals: ids,
  options: acknowledgeOption,
  examples: [`signpost approvals approve ${example}`],
  async run(context) {
    const { client, send } = await context.connectToAccount();
    const query = { acknowledge: context.args.text('acknowledge') };
    const params = { path: { approvalId: context.args.positionals[0]! }, query };
    const { data } = await send(() => client.POST('/account/approvals/{approvalId}/approve', { params }));
    if (context.isJson) context.printJson(data);
    else context.print(`${data.operation} is approved\n`);
    return exitCodes.done;
  },
};

export const approvalsRefuse: Command = {
  name: 'approvals refuse',
  summary: 'refuse a change that waits for a second person',
  description: `APPROVAL is the id of the approval. ${token}`,
  positionals: ids,
  options: {},
  examples: [`signpost approvals refuse ${example}`],
  async run(context) {
    const { client, send } = await context.connectToAccount();
    const params = { path: { approvalId: context.args.positionals[0]! } };
    const { data } = await send(() => client.POST('/account/approvals/{approvalId}/refuse', { params }));
    if (context.isJson) context.printJson(data);
    else context.print(`${data.operation} is refused\n`);
    return exitCodes.done;
  },
};
