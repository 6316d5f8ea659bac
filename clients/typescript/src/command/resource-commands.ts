import type { Pagination } from '../index.js';
import { allItems, maxPageSize } from './all-pages.js';
import type { Routes } from './api-resources.js';
import { creationOptions, readCreation, readUpdate, updateOptions } from './body-input.js';
import { acknowledgeOption, type Command, type Options, yesOption } from './command.js';
import { confirm, requireAnswerer } from './confirm.js';
import { type Connection, isUuid } from './connection.js';
import type { Context } from './context.js';
import { exitCodes } from './exit-codes.js';
import { UsageFailure } from './failures.js';
import type { Fields } from './fields.js';
import { readIdempotencyKey } from './idempotency-key.js';
import type { Cell } from './table.js';
import { counted } from './text.js';

export interface Resource {
  /** First word of the commands: the plural. */
  readonly name: string;
  readonly noun: string;
  readonly routes: (context: Context) => Routes;
  /** Options of all commands, which `routes` reads. */
  readonly options?: Options;
  readonly isOfAccount?: true;
  /** Fields that name an item in commands, beside its id. Empty if lists can be long. */
  readonly keys: readonly string[];
  /** Columns of the list. */
  readonly columns: readonly string[];
  readonly fields: Fields;
  /** Fields of updates, if they are others. Null: no update. */
  readonly updated?: Fields | null;
  /** Query parameters of the list, by option. */
  readonly filters?: Options;
  /** Sentence of the help of all commands. */
  readonly note?: string;
  /** Whether updates and deletions can break released versions of apps. */
  readonly breaksReleases?: true;
  readonly creationBreaksReleases?: true;
  /** Consequences of a deletion, as a sentence. */
  readonly deletion: string;
  readonly examples: {
    readonly create: string;
    readonly update?: string;
    /** Options of all commands. */
    readonly all?: string;
  };
}

type Item = { readonly id: string } & Readonly<Record<string, unknown>>;
interface Page {
  data: Item[];
  pagination: Pagination;
}

/** Returns the commands list, get, create, update and delete of a resource. */
export function resourceCommands(resource: Resource): Command[] {
  const { name, noun, keys, columns, fields, filters = {}, deletion, examples, note } = resource;
  const NAME = noun.replaceAll(' ', '-').toUpperCase();
  const named = `${NAME} is the id of the ${noun}${keys.map((key) => `, or its ${wordsOf(key)}`).join('')}.`;
  const updated = resource.updated === undefined ? fields : resource.updated;
  const described = (...sentences: string[]) => [...sentences, ...(note ? [note] : [])].join(' ');
  const exampleOf = (verb: string, rest: string): string[] => [
    ['signpost', name, verb, ...(examples.all ? [examples.all] : []), rest].join(' ').trimEnd(),
  ];
  const acknowledging = resource.breaksReleases ? acknowledgeOption : {};
  const withOptions = (options: Options): Options => ({ ...resource.options, ...options });

  const list: Command = {
    name: `${name} list`,
    summary: `list ${name.replaceAll('-', ' ')}`,
    description: described(),
    isReadOnly: true,
    options: withOptions({
      ...filters,
      page: { value: 'N', help: 'page, from 1' },
      limit: { value: 'N', help: `items per page: 20 by default, ${maxPageSize} at most` },
    }),
    examples: exampleOf('list', ''),
    async run(context) {
      const { args } = context;
      const page = args.number('page', { min: 1, max: Number.MAX_SAFE_INTEGER }) ?? 1;
      const limit = args.number('limit', { min: 1, max: maxPageSize }) ?? 20;
      const filtered = Object.fromEntries(
        Object.keys(filters).map((option) => [option.replaceAll('-', '_'), args.text(option)]),
      );
      const requests = await Requests.open(resource, context);
      const answer = await requests.page({ ...filtered, page, limit });
      if (context.isJson) context.printJson(answer);
      else {
        const heads = ['id', ...columns].map((column) => wordsOf(column).toUpperCase());
        const rows = answer.data.map((item) => ['id', ...columns].map((column) => cellOf(item[column])));
        if (rows.length > 0) context.printTable(heads, rows);
        const { total, totalPages } = answer.pagination;
        context.note(`${totalPages > 1 ? `Page ${page} of ${totalPages}, ` : ''}${counted(total, noun)}`);
      }
      return exitCodes.done;
    },
  };
  const get: Command = {
    name: `${name} get`,
    summary: `show ${withArticle(noun)}`,
    description: described(named),
    positionals: [{ name: NAME }],
    isReadOnly: true,
    options: withOptions({}),
    examples: exampleOf('get', `${NAME} --json`),
    async run(context) {
      const requests = await Requests.open(resource, context);
      const { data } = await requests.send('GET', await requests.idOf(context.args.positionals[0]!));
      print(context, data);
      return exitCodes.done;
    },
  };
  const create: Command = {
    name: `${name} create`,
    summary: `create ${withArticle(noun)}`,
    description: described(),
    options: withOptions({
      ...creationOptions(fields),
      ...(resource.creationBreaksReleases && acknowledgeOption),
      'idempotency-key': { value: 'KEY', help: `key that makes a repetition return the first ${noun}` },
    }),
    examples: exampleOf('create', examples.create),
    async run(context) {
      const body = await readCreation(fields, context);
      const requests = await Requests.open(resource, context);
      const header = { 'Idempotency-Key': readIdempotencyKey(context.args) };
      const query = resource.creationBreaksReleases && acknowledgement(context).query;
      print(context, (await requests.send('POST', null, { body, params: { header, query } })).data);
      return exitCodes.done;
    },
  };
  const update: Command = {
    name: `${name} update`,
    summary: `change fields of ${withArticle(noun)}`,
    description: described(named, 'Fields that no option names stay as they are.'),
    positionals: [{ name: NAME }],
    options: withOptions({ ...updateOptions(updated ?? {}), ...acknowledging }),
    examples: exampleOf('update', `${NAME} ${examples.update ?? '--name "New name"'}`),
    async run(context) {
      const body = await readUpdate(updated!, context);
      const requests = await Requests.open(resource, context);
      const id = await requests.idOf(context.args.positionals[0]!);
      const { data } = await requests.send('PUT', id, { body, params: acknowledgement(context) });
      if (context.isJson) context.printJson(data);
      else context.printFields(Object.fromEntries(Object.entries(data).filter(([one]) => one === 'id' || one in body)));
      return exitCodes.done;
    },
  };
  const remove: Command = {
    name: `${name} delete`,
    summary: `delete ${withArticle(noun)}`,
    description: described(named, deletion),
    positionals: [{ name: NAME }],
    options: withOptions({ ...acknowledging, ...yesOption }),
    examples: exampleOf('delete', `${NAME} --yes`),
    async run(context) {
      const { io, args } = context;
      requireAnswerer(io, args);
      const requests = await Requests.open(resource, context);
      const [name] = args.positionals as [string];
      const id = await requests.idOf(name);
      await confirm(io, args, `Delete the ${noun} ${name}? ${deletion}`);
      // A repetition would answer 404.
      await requests.send('DELETE', id, { params: acknowledgement(context) }, { isRepeatable: false });
      if (context.isJson) context.printJson({ deleted: [id] });
      else context.print(`Deleted ${id}\n`);
      return exitCodes.done;
    },
  };
  return updated === null ? [list, get, create, remove] : [list, get, create, update, remove];
}

const acknowledgement = ({ args }: Context) => ({ query: { acknowledge: args.text('acknowledge') } });

const wordsOf = (field: string): string => field.replaceAll('_', ' ');

const withArticle = (noun: string): string => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;

const cellOf = (value: unknown): Cell =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell);

function print(context: Context, item: Item): void {
  if (context.isJson) context.printJson(item);
  else context.printFields(item);
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Sends the requests of commands on a resource. */
class Requests {
  private constructor(
    private readonly resource: Resource,
    private readonly service: Connection,
    private readonly routes: Routes,
  ) {}

  static async open(resource: Resource, context: Context): Promise<Requests> {
    const paths = resource.routes(context);
    const service = await (resource.isOfAccount ? context.connectToAccount() : context.connect());
    return new Requests(resource, service, paths);
  }

  async page(query: object): Promise<Page> {
    return (await this.#call('GET', this.routes.list, { params: { query } })) as Page;
  }

  /** @param id null for the path of the list */
  async send(method: Method, id: string | null, options: object = {}, sending = {}): Promise<{ data: Item }> {
    const path = id === null ? this.routes.list : this.routes.one.replace('{id}', id);
    return (await this.#call(method, path, options, sending)) as { data: Item };
  }

  /** @throws UsageFailure if no item has the name */
  async idOf(name: string): Promise<string> {
    const { keys, noun } = this.resource;
    if (isUuid(name)) return name.toLowerCase();
    const folded = name.toLowerCase();
    if (keys.length > 0)
      for await (const item of allItems((query) => this.page(query)))
        if (keys.some((key) => (item[key] as string | undefined)?.toLowerCase() === folded)) return item.id;
    const names = ['id', ...keys.map(wordsOf)].join(' or ');
    throw new UsageFailure(`There is no ${noun} with the ${names} ${JSON.stringify(name)}.`);
  }

  #call(method: Method, path: string, options: object, sending = {}): Promise<unknown> {
    const { client } = this.service;
    const call = (client as unknown as Record<Method, (path: string, options: object) => Promise<never>>)[method];
    const inProject = path.replace('{projectId}', this.service.path.projectId);
    return this.service.send(() => call(inProject, options), sending);
  }
}
