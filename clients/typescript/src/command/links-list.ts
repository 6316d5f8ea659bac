import type { DynamicLinkListItem as Link, operations, Pagination } from '../index.js';
import { allItems, maxPageSize, type PageQuery } from './all-pages.js';
import type { Arguments } from './arguments.js';
import type { Command } from './command.js';
import type { Connection } from './connection.js';
import { exitCodes } from './exit-codes.js';
import { UsageFailure } from './failures.js';
import { counted } from './text.js';

type Query = NonNullable<operations['listDynamicLinks']['parameters']['query']>;

const sortKeys = ['name', 'custom_path', 'created_at', 'updated_at', 'clicks', 'clicks_total'];

export const linksList: Command = {
  name: 'links list',
  summary: 'list links',
  description:
    'With --all, every page is read, in the order of creation by default. Each link is printed once, also if others create and delete ' +
    'links meanwhile. To copy very many links, use export, which is one request.',
  isReadOnly: true,
  options: {
    search: { value: 'TEXT', help: 'part of the name, the path or a destination' },
    tag: { value: 'TAG', help: 'only links with the tag' },
    'exclude-tag': { value: 'TAG', help: 'only links without the tag' },
    archived: { value: 'WHICH', choices: ['false', 'true', 'any'], help: 'archived links: false by default' },
    'external-id': { value: 'ID', help: 'only the link with the external id' },
    template: { value: 'NAME', help: 'only links of the template' },
    'ios-app-id': { value: 'ID', help: 'only links of the iOS app' },
    'android-app-id': { value: 'ID', help: 'only links of the Android app' },
    'sort-by': { value: 'FIELD', choices: sortKeys, help: 'order; clicks are those of 30 days' },
    'sort-order': { value: 'ORDER', choices: ['asc', 'desc'], help: 'desc by default' },
    clicks: { help: 'with the clicks of 30 days and of all time, which an order by clicks also shows' },
    page: { value: 'N', help: 'page, from 1' },
    limit: { value: 'N', help: `links per page: 20 by default, ${maxPageSize} at most; --all chooses it` },
    all: { help: 'all pages, as one' },
  },
  examples: ['signpost links list --tag Summer --sort-by name --sort-order asc', 'signpost links list --all --json'],
  async run(context) {
    const isAll = context.args.flag('all');
    const query = queryOf(context.args);
    const service = await context.connect();
    const { data, pagination } = await (isAll ? readAllPages : readPage)(service, query);
    if (context.isJson) {
      context.printJson({ data, pagination });
      return exitCodes.done;
    }
    const clicksOf = (link: Link) => (query.include ? [String(link.clicks), String(link.clicks_total)] : []);
    const rows = data.map((link) => [
      link.id,
      link.name,
      link.full_url,
      link.external_id,
      link.tags.join(', '),
      ...clicksOf(link),
    ]);
    const heads = ['ID', 'NAME', 'URL', 'EXTERNAL ID', 'TAGS', ...(query.include ? ['CLICKS', 'ALL CLICKS'] : [])];
    if (rows.length > 0) context.printTable(heads, rows);
    const { page, totalPages, total, totalRelation } = pagination;
    if (totalRelation) context.note(`Page ${page}, ${total.toLocaleString('en-US')}+ links`);
    else if (isAll || totalPages <= 1) context.note(counted(total, 'link'));
    else context.note(`Page ${page} of ${totalPages}, ${counted(total, 'link')}`);
    return exitCodes.done;
  },
};

function queryOf(args: Arguments): Query {
  const isAll = args.flag('all');
  const texts = {
    search: args.text('search'),
    tag: args.text('tag'),
    exclude_tag: args.text('exclude-tag'),
    archived: args.text('archived'),
    external_id: args.text('external-id'),
    template: args.text('template'),
    ios_app_id: args.text('ios-app-id'),
    android_app_id: args.text('android-app-id'),
    sortBy: args.text('sort-by'),
    sortOrder: args.text('sort-order'),
    include: args.flag('clicks') || args.text('sort-by')?.startsWith('clicks') ? 'clicks' : undefined,
  } as Query;
  const page = args.number('page', { min: 1, max: Number.MAX_SAFE_INTEGER });
  const limit = args.number('limit', { min: 1, max: maxPageSize }) ?? 20;
  if (isAll && page !== undefined) throw new UsageFailure('--page and --all exclude each other; use one of them.');
  // New links are then at the end, where they are still read.
  const isInOrderOfCreation = isAll && texts.sortBy === undefined && texts.sortOrder === undefined;
  const order: Query = isInOrderOfCreation ? { sortBy: 'created_at', sortOrder: 'asc' } : {};
  const present = Object.entries(texts).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(present), ...order, limit, page: page ?? 1 };
}

interface Page {
  data: Link[];
  pagination: Pagination;
}

async function readPage(service: Connection, query: Query): Promise<Page> {
  const params = { path: service.path, query };
  return service.send(() => service.client.GET('/projects/{projectId}/links', { params }));
}

async function readAllPages(service: Connection, query: Query): Promise<Page> {
  const data: Link[] = [];
  for await (const link of allItems((page: PageQuery) => readPage(service, { ...query, ...page }))) data.push(link);
  const { length } = data;
  const single = { page: 1, totalPages: Math.min(1, length), hasNextPage: false, hasPreviousPage: false };
  return { data, pagination: { ...single, total: length, limit: length } };
}
