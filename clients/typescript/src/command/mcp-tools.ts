import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Routes, routes } from './api-resources.js';
import { Connection, isUuid } from './connection.js';
import { Failure, UsageFailure } from './failures.js';
import type { Io } from './io.js';
import type { Change } from './mcp-changes.js';
import type { Answer } from './send.js';
import type { Settings } from './settings.js';

export type Input = Readonly<Record<string, unknown>>;

interface Property {
  readonly type: 'string' | 'integer' | 'object';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  read?(session: Session, input: Input): Promise<unknown>;
  /** Plans a change, without carrying it out. */
  plan?(session: Session, input: Input): Promise<Change>;
}

type Method = 'GET' | 'POST' | 'PUT';
type Call = (path: string, options: object) => Promise<Answer<unknown>>;

/** Sends the requests of tools. */
export class Session {
  constructor(
    readonly io: Io,
    private readonly settings: Settings,
  ) {}

  async #connect(input: Input): Promise<Connection> {
    const project = (input['project'] as string | undefined) ?? this.settings.project;
    if (project === '') throw new UsageFailure('`project` is missing. Name an id or a subdomain, or use --project.');
    return Connection.open(this.io, { ...this.settings, project });
  }

  /** Returns the connection, and the path with its ids. */
  async open(route: string, input: Input): Promise<{ service: Connection; path: string }> {
    if (!route.includes('{')) return { service: Connection.ofAccount(this.io, this.settings), path: route };
    const service = await this.#connect(input);
    const { id = '' } = input as { id?: string };
    if (route.includes('{id}') && !isUuid(id)) throw new UsageFailure('`id` must be the id of a resource.');
    return { service, path: route.replace('{projectId}', service.path.projectId).replace('{id}', id) };
  }

  /** Sends a request by the typed client, and returns its answer with the headers. */
  async send(service: Connection, method: Method, path: string, options: object = {}): Promise<[unknown, Headers]> {
    let headers = new Headers();
    const client = service.client as unknown as Record<Method, Call>;
    const answer = await service.send(async () => {
      const result = await client[method](path, options);
      ({ headers } = result.response);
      return result;
    });
    return [answer, headers];
  }

  /** Sends a change, and returns its answer, which names the released versions of apps that it has broken. */
  async change(
    service: Connection,
    method: Method,
    path: string,
    { acknowledge }: Input,
    request: { body: unknown; header: object },
  ): Promise<unknown> {
    const { body, header } = request;
    const query = acknowledge === undefined ? {} : { acknowledge };
    const [answer, headers] = await this.send(service, method, path, { body, params: { header, query } });
    const broken = headers.get('broken-app-versions');
    return broken === null ? answer : { ...(answer as object), broken_app_versions: broken };
  }

  async get(route: string, input: Input, query: object = {}): Promise<unknown> {
    const { service, path } = await this.open(route, input);
    return (await this.send(service, 'GET', path, { params: { query } }))[0];
  }
}

interface Resource extends Routes {
  readonly isUpdated: boolean;
}

const resources: Readonly<Record<string, Resource>> = {
  // The argument `project` names it, so that its path has no id.
  project: { ...routes.project, one: '/projects/{projectId}', isUpdated: true },
  link: { ...routes.link, isUpdated: true },
  short_link: { ...routes.short_link, isUpdated: false },
  ios_app: { ...routes.ios_app, isUpdated: true },
  android_app: { ...routes.android_app, isUpdated: true },
  domain: { ...routes.domain, isUpdated: true },
  template: { ...routes.template, isUpdated: true },
};

const text = (description: string): Property => ({ type: 'string', description, maxLength: 8192 });
const project = text(
  'Id or subdomain of the project. Default: that of --project. Not used to list or create projects.',
);
const id = text('Id of the resource. A project has none: it is named by `project`.');
const object = (description: string): Property => ({ type: 'object', description });
const fields = object('Fields of the body, as the page of the resource describes them, such as api-dynamic-links.md.');
const acknowledge = text(
  'Versions of released apps that the change may break, joined by commas, if BREAKS_RELEASED_APP refused it.',
);
const acknowledged = ({ acknowledge: versions }: Input): string =>
  typeof versions === 'string' ? `?acknowledge=${versions}` : '';
const choice = (description: string, names: readonly string[]): Property => ({
  type: 'string',
  description,
  enum: names,
});
const resource = choice('Kind of resource.', Object.keys(resources));
const updated = Object.keys(resources).filter((name) => resources[name]!.isUpdated);
const filter = object('Query parameters of the operation by name, as its page describes them.');

const resourceIn = (input: Input): Resource => resources[String(input['resource'])]!;

const dataOf = (answer: unknown): Readonly<Record<string, unknown>> =>
  (answer as { data: Readonly<Record<string, unknown>> }).data;

/** The tools, in the order of their list. Those with `plan` need --write. */
export const tools: readonly Tool[] = [
  {
    name: 'read_documentation',
    description: 'Returns a page of the documentation. llms.txt lists all pages: read it first.',
    properties: { page: text('Name of the page, such as llms.txt or api-dynamic-links.md.') },
    required: ['page'],
    async read({ io }, input) {
      const names = await readdir(io.pages).catch(() => []);
      const name = names.find((one) => one === input['page']);
      if (name === undefined) throw new Failure(`There is no such page. Pages: ${names.join(', ')}.`);
      return readFile(join(io.pages, name), 'utf8');
    },
  },
  {
    name: 'list_resources',
    description: 'Lists projects, or links, short links, apps or custom domains of a project, by pages.',
    properties: {
      resource,
      project,
      page: { type: 'integer', description: 'Page, from 1.', minimum: 1, maximum: 1_000_000 },
      limit: { type: 'integer', description: 'Items per page, 20 by default.', minimum: 1, maximum: 100 },
      filter,
    },
    required: ['resource'],
    read: (session, input) => {
      const { page = 1, limit = 20, filter: parameters = {} } = input;
      return session.get(resourceIn(input).list, input, { ...(parameters as object), page, limit });
    },
  },
  {
    name: 'get_resource',
    description: 'Returns a resource.',
    properties: { resource, project, id },
    required: ['resource'],
    read: (session, input) => session.get(resourceIn(input).one, input),
  },
  {
    name: 'explain_visit',
    description: 'Explains what a visitor of a link gets, rule by rule. It counts no click.',
    properties: {
      project,
      id: text('Id of the link.'),
      platform: choice('Device of the visitor.', ['ios', 'android', 'desktop']),
      filter,
    },
    required: ['id', 'platform'],
    read: (session, input) =>
      session.get('/projects/{projectId}/links/{id}/explain', input, {
        ...(input['filter'] as object | undefined),
        platform: input['platform'],
      }),
  },
  {
    name: 'get_statistics',
    description:
      'Counts clicks of a project, or of one link, by time and by a property (`group_by` in `filter`). Conditions in `filter` combine, ' +
      'such as `country` and `platform`, each a text or a list of texts.',
    properties: { project, id: text('Id of a link. Default: all links.'), filter },
    read: (session, input) => {
      const path = input['id'] === undefined ? 'analytics' : 'links/{id}/analytics';
      return session.get(`/projects/{projectId}/${path}`, input, input['filter'] as object | undefined);
    },
  },
  {
    name: 'check_domain',
    description: 'Compares the DNS records of a custom domain with those that it needs.',
    properties: { project, id: text('Id of the custom domain.') },
    required: ['id'],
    read: (session, input) => session.get('/projects/{projectId}/custom-domains/{id}/records', input),
  },
  {
    name: 'create_resource',
    description: 'Plans the creation of a resource, and carries it out once it is confirmed.',
    properties: { resource, project, fields, acknowledge },
    required: ['resource', 'fields'],
    async plan(session, input) {
      const { service, path } = await session.open(resourceIn(input).list, input);
      const { fields: body } = input;
      return {
        request: `POST ${path}${acknowledged(input)}`,
        changes: body,
        async apply(key) {
          return session.change(service, 'POST', path, input, { body, header: { 'Idempotency-Key': key } });
        },
      };
    },
  },
  {
    name: 'update_resource',
    description:
      'Plans the update of a resource, and carries it out once it is confirmed. Other fields stay; null clears.',
    properties: { resource: choice('Kind of resource.', updated), project, id, fields, acknowledge },
    required: ['resource', 'fields'],
    async plan(session, input) {
      const { service, path } = await session.open(resourceIn(input).one, input);
      const [answer, headers] = await session.send(service, 'GET', path);
      const body = input['fields'] as Readonly<Record<string, unknown>>;
      const before = dataOf(answer);
      const changes = Object.entries(body).map(([name, after]) => [name, { before: before[name] ?? null, after }]);
      return {
        request: `PUT ${path}${acknowledged(input)}`,
        changes: Object.fromEntries(changes),
        async apply() {
          // Another change in between is not overwritten.
          const header = { 'If-Match': headers.get('etag') };
          return session.change(service, 'PUT', path, input, { body, header });
        },
      };
    },
  },
  {
    name: 'verify_domain',
    description: 'Plans the check that proves a custom domain, and carries it out once it is confirmed.',
    properties: { project, id: text('Id of the custom domain.') },
    required: ['id'],
    async plan(session, input) {
      const { service, path } = await session.open('/projects/{projectId}/custom-domains/{id}/verify', input);
      const apply = async () => (await session.send(service, 'POST', path))[0];
      return { request: `POST ${path}`, changes: null, apply };
    },
  },
];

const confirm = text('Token of the plan. Absent: the tool returns a plan, and changes nothing.');

/** Returns the properties of a tool's arguments. A change can have the token of its plan. */
export const propertiesOf = (tool: Tool): Tool['properties'] =>
  tool.plan ? { ...tool.properties, confirm } : tool.properties;

/** @throws UsageFailure if the arguments do not fit the tool */
export function checkInput(tool: Tool, input: unknown): asserts input is Input {
  if (!isObject(input)) throw new UsageFailure('The arguments must be an object.');
  const properties = propertiesOf(tool);
  for (const name of tool.required ?? [])
    if (input[name] === undefined) throw new UsageFailure(`\`${name}\` is missing.`);
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(properties, name) ? properties[name]! : undefined;
    if (!property) throw new UsageFailure(`There is no argument ${JSON.stringify(name)}.`);
    if (!fits(property, value)) throw new UsageFailure(`\`${name}\` must be ${wordsFor(property)}.`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fits({ type, enum: choices, maxLength, minimum, maximum }: Property, value: unknown): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isSafeInteger(value) && Number(value) >= minimum! && Number(value) <= maximum!;
  return typeof value === 'string' && (choices ? choices.includes(value) : value !== '' && value.length <= maxLength!);
}

function wordsFor({ type, enum: choices, maxLength, minimum, maximum }: Property): string {
  if (type === 'object') return 'an object';
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  return choices ? `one of ${choices.join(', ')}` : `a text of 1 to ${maxLength} characters`;
}
