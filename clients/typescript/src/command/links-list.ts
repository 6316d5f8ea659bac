import type { DynamicLinkWithApps, operations, Pagination } from '../index.js';
import type { Arguments } from './arguments.js';
import type { Command } from './command.js';
import type { Connection } from './connection.js';
import { exitCodes } from './exit-codes.js';
import { counted } from './text.js';

type Query = NonNullable<operations['listDynamicLinks']['parameters']['query']>;

const maxPageSize = 100;

export const linksList: Command = {
  name: 'links list',
  summary: 'list links',
  description: 'With --all, every page is read. To copy very many links, use export, which is one request.',
  isReadOnly: true,
  options: {
    search: { value: 'TEXT', help: 'part of the name or the path' },
    tag: { value: 'TAG', help: 'only links with the tag' },
    'exclude-tag': { value: 'TAG', help: 'only links without the tag' },
    archived: { value: 'WHICH', choices: ['false', 'true', 'any'], help: 'archived links: false by default' },
    'external-id': { value: 'ID', help: 'only the link with the external id' },
    'ios-app-id': { value: 'ID', help: 'only links of the iOS app' },
    'android-app-id': { value: 'ID', help: 'only links of the Android app' },
    'sort-by': { value: 'FIELD', choices: ['name', 'custom_path', 'created_at', 'updated_at'], help: 'order' },
    'sort-order': { value: 'ORDER', choices: ['asc', 'desc'], help: 'desc by default' },
    page: { value: 'N', help: 'page, from 1' },
    limit: { value: 'N', help: `links per page: 20 by default, ${maxPageSize} at most` },
    all: { help: 'all pages' },
  },
  examples: ['signpost links list --tag Summer --sort-by name --sort-order asc', 'signpost links list --all --json'],
  async run(context) {
    const service = await context.connect();
    const isAll = context.args.flag('all');
    const { data, pagination } = await (isAll ? readAllPages : readPage)(service, queryOf(context.args));
    if (context.isJson) {
      context.printJson({ data, pagination });
      return exitCodes.done;
    }
    const rows = data.map((link) => [link.id, link.name, link.full_url, link.external_id, link.tags.join(', ')]);
    if (rows.length > 0) context.printTable(['ID', 'NAME', 'URL', 'EXTERNAL ID', 'TAGS'], rows);
    const { page, totalPages, total } = pagination;
    context.note(
      isAll || totalPages <= 1 ? counted(total, 'link') : `Page ${page} of ${totalPages}, ${counted(total, 'link')}`,
    );
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
    ios_app_id: args.text('ios-app-id'),
    android_app_id: args.text('android-app-id'),
    sortBy: args.text('sort-by'),
    sortOrder: args.text('sort-order'),
  } as Query;
  const page = args.number('page', { min: 1, max: Number.MAX_SAFE_INTEGER });
  const limit = args.number('limit', { min: 1, max: maxPageSize }) ?? (isAll ? maxPageSize : 20);
  const given = Object.entries(texts).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), limit, page: isAll ? 1 : (page ?? 1) };
}

interface Page {
  data: DynamicLinkWithApps[];
  pagination: Pagination;
}

async function readPage(service: Connection, query: Query): Promise<Page> {
  const params = { path: service.path, query };
  return service.send(() => service.client.GET('/projects/{projectId}/links', { params }));
}

async function readAllPages(service: Connection, query: Query): Promise<Page> {
  let last = await readPage(service, query);
  const data = [...last.data];
  for (let page = 2; last.pagination.hasNextPage; page++) {
    last = await readPage(service, { ...query, page });
    data.push(...last.data);
  }
  const { total } = last.pagination;
  const single = { page: 1, totalPages: 1, hasNextPage: false, hasPreviousPage: false };
  return { data, pagination: { ...last.pagination, ...single, total, limit: data.length } };
}
