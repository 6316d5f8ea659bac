import type { ErrorCode } from '../../src/shared/domain-error';
import type { Place } from '../contracts/places';
import { fieldsOf, resources as described } from '../contracts/resources';
import { byCodePoint } from '../support/content';

export const resources = ['projects', 'links', 'short-links', 'ios-apps', 'android-apps'] as const;
export type Resource = (typeof resources)[number];
export type Verb = 'create' | 'update' | 'delete' | 'get' | 'list';

export interface Caller {
  accountId: string;
  userId: string;
  apiKeyId: string;
}

export interface ModelRequest {
  caller: Caller;
  resource: Resource;
  verb: Verb;
  projectId?: string;
  id?: string;
  body?: Record<string, unknown>;
  query?: Record<string, string>;
}

export type ModelAnswer = { code: ErrorCode } | { body: unknown };

/** A stored resource: the response fields that are not derived. */
export interface Item extends Record<string, unknown> {
  id: string;
  created_at: string;
  updated_at: string;
}

interface Kind {
  required: string[];
  /** All body fields with their defaults; undefined: the service generates the value. */
  fields: Record<string, unknown>;
  nullable: string[];
  searched: string[];
}

/** Returns the kind of a resource as the contract tests describe it. */
function kindOf(name: string, searched: string[], generated: string[] = []): Kind {
  const resource = described.find((one) => one.name === name)!;
  const fields = fieldsOf(resource, 'create');
  const defaults = resource.defaults({ account: {} } as Place);
  return {
    required: fields.filter(([, { required }]) => required).map(([field]) => field),
    fields: Object.fromEntries(
      fields.map(([field]) => [field, generated.includes(field) ? undefined : (defaults[field] ?? null)]),
    ),
    nullable: fields.filter(([, { nullable }]) => nullable).map(([field]) => field),
    searched,
  };
}

export const kinds: Record<Resource, Kind> = {
  projects: kindOf('project', ['name', 'subdomain']),
  links: kindOf(
    'dynamic link',
    ['name', 'custom_path', 'desktop_url', 'ios_fallback_url', 'android_fallback_url'],
    ['custom_path'],
  ),
  'short-links': kindOf('short link', [], ['slug']),
  'ios-apps': kindOf('iOS app', ['name', 'bundle_id']),
  'android-apps': kindOf('Android app', ['name', 'package_name']),
};

class Refusal extends Error {
  constructor(readonly code: ErrorCode) {
    super(code);
  }
}

const refuse = (code: ErrorCode): never => {
  throw new Refusal(code);
};

/**
 * Implements the management API over plain maps, without quotas and plans. Takes generated values (ids, times, paths) from the
 * service's answer.
 */
export class Model {
  readonly items: Record<Resource, Item[]> = {
    projects: [],
    links: [],
    'short-links': [],
    'ios-apps': [],
    'android-apps': [],
  };
  readonly #accountOf = new Map<string, string>();
  /** The owner of each subdomain: a project, or its account after the deletion. */
  readonly #owners = new Map<string, { accountId: string; projectId: string | null }>();

  /** `received` is `data` in the service's answer to a create or update. */
  answer(request: ModelRequest, received: Partial<Item> = {}): ModelAnswer {
    try {
      return { body: this.#answer(request, received) };
    } catch (error) {
      if (error instanceof Refusal) return { code: error.code };
      throw error;
    }
  }

  projectsOf(caller: Caller): Item[] {
    return this.items.projects.filter(({ id }) => this.#accountOf.get(id) === caller.accountId);
  }

  projectOn(subdomain: string): Item | undefined {
    return this.items.projects.find(({ id }) => id === this.#owners.get(subdomain)?.projectId);
  }

  childrenOf(resource: Resource, projectId: string | undefined): Item[] {
    return this.items[resource].filter((item) => item['project_id'] === projectId);
  }

  /** Returns the links of the project by the paths of links and short links. */
  pathsOf(projectId: string): Map<string, Item> {
    const links = this.childrenOf('links', projectId);
    return new Map([
      ...links.map((link) => [String(link['custom_path']), link] as const),
      ...this.childrenOf('short-links', projectId).map(
        (short) => [String(short['slug']), links.find(({ id }) => id === short['dynamic_link_id'])!] as const,
      ),
    ]);
  }

  // The order of these checks is part of the contract.
  #answer(request: ModelRequest, received: Partial<Item>): unknown {
    const { resource, verb, caller } = request;
    const project = request.projectId === undefined ? undefined : this.#ownProject(caller, request.projectId);
    this.#checkInput(request);
    if (verb === 'list') return this.#list(request, project);
    const item = resource === 'projects' ? project : verb === 'create' ? undefined : this.#child(request);
    if (verb === 'get') return { data: this.#render(resource, item!, true) };
    if (verb === 'delete') return this.#delete(resource, item!);
    this.#checkReferences(request);
    this.#checkUniqueness(request, item);
    const written = verb === 'create' ? this.#create(request, received) : update(item!, request.body!, received);
    if (resource === 'projects') this.#own(caller, written);
    return { data: this.#render(resource, written) };
  }

  #ownProject(caller: Caller, id: string): Item {
    const project = this.items.projects.find((other) => other.id === id) ?? refuse('NOT_FOUND');
    return this.#accountOf.get(id) === caller.accountId ? project : refuse('ACCESS_DENIED');
  }

  #checkInput({ resource, verb, body, query = {} }: ModelRequest): void {
    if (query['limit'] === '0') refuse('INVALID_INPUT');
    if (!body) return;
    const { fields, required, nullable } = kinds[resource];
    if (Object.keys(body).some((name) => !(name in fields))) refuse('FORBIDDEN_FIELD');
    if (verb === 'create' && required.some((name) => body[name] === undefined)) refuse('INVALID_INPUT');
    for (const [name, value] of Object.entries(body))
      if (value === ' ' || (value === null && (verb === 'create' || !nullable.includes(name)))) refuse('INVALID_INPUT');
  }

  #child({ resource, projectId, id }: ModelRequest): Item {
    return this.childrenOf(resource, projectId).find((item) => item.id === id) ?? refuse('NOT_FOUND');
  }

  #checkReferences({ projectId, body = {} }: ModelRequest): void {
    for (const [field, resource, code] of [
      ['ios_app_id', 'ios-apps', 'IOS_APP_NOT_FOUND'],
      ['android_app_id', 'android-apps', 'ANDROID_APP_NOT_FOUND'],
      ['dynamic_link_id', 'links', 'NOT_FOUND'],
    ] as const) {
      if (typeof body[field] !== 'string') continue;
      const referenced = this.items[resource].find(({ id }) => id === body[field]) ?? refuse(code);
      if (referenced['project_id'] !== projectId) refuse('FORBIDDEN_CROSS_SCOPE');
    }
  }

  #checkUniqueness({ caller, projectId, body = {} }: ModelRequest, self: Item | undefined): void {
    const taken = (resource: Resource, field: string, form = (value: unknown) => value): boolean =>
      body[field] !== undefined &&
      this.childrenOf(resource, projectId).some((other) => other !== self && form(other[field]) === form(body[field]));
    const owner = this.#owners.get(String(body['subdomain']));
    if (owner && (owner.projectId === null ? owner.accountId !== caller.accountId : owner.projectId !== self?.id))
      refuse('SUBDOMAIN_TAKEN');
    if (body['subdomain'] === 'www') refuse('SUBDOMAIN_TAKEN');
    const paths = projectId === undefined ? new Map<string, Item>() : this.pathsOf(projectId);
    if (body['external_id'] !== null && taken('links', 'external_id')) refuse('EXTERNAL_ID_EXISTS');
    if (body['custom_path'] !== self?.['custom_path'] && paths.has(String(body['custom_path'])))
      refuse('CUSTOM_PATH_EXISTS');
    if (paths.has(String(body['slug']))) refuse('SLUG_EXISTS');
    if (taken('ios-apps', 'bundle_id', (value) => String(value).toLowerCase())) refuse('BUNDLE_ID_EXISTS');
    if (taken('android-apps', 'package_name')) refuse('PACKAGE_NAME_EXISTS');
  }

  #create({ resource, projectId, body = {}, caller }: ModelRequest, received: Partial<Item>): Item {
    const { id = '', created_at = '', updated_at = '' } = received;
    const drawn = Object.fromEntries(
      Object.entries(kinds[resource].fields).map(([field, absent]) => [
        field,
        absent === undefined ? received[field] : absent,
      ]),
    );
    const item: Item = { ...drawn, ...body, id, created_at, updated_at };
    if (resource === 'projects') this.#accountOf.set(id, caller.accountId);
    if (resource === 'projects') item['user_id'] = caller.userId;
    else item['project_id'] = projectId;
    if (resource === 'short-links')
      Object.assign(item, { source: 'api', created_by: caller.userId, created_by_api_key_id: caller.apiKeyId });
    this.items[resource].push(item);
    return item;
  }

  #own({ accountId }: Caller, { id, subdomain }: Item): void {
    this.#owners.set(String(subdomain), { accountId, projectId: id });
  }

  #delete(resource: Resource, item: Item): unknown {
    const reference = { 'ios-apps': 'ios_app_id', 'android-apps': 'android_app_id' }[resource as string];
    if (reference && this.items.links.some((link) => link[reference] === item.id)) refuse('LINKED_REFERENCES');
    for (const owner of this.#owners.values()) if (owner.projectId === item.id) owner.projectId = null;
    for (const kind of resources)
      this.items[kind] = this.items[kind].filter(
        (other) =>
          other !== item &&
          !(resource === 'projects' && other['project_id'] === item.id) &&
          !(resource === 'links' && other['dynamic_link_id'] === item.id),
      );
    return { data: { message: expect.any(String) as string } };
  }

  #list({ resource, caller, query = {} }: ModelRequest, project: Item | undefined): unknown {
    const { page = '1', limit = '10', search = '', sortBy = 'created_at', sortOrder = 'desc', ...more } = query;
    const { archived = 'false', tag, exclude_tag: unwanted, ...filters } = more;
    const hasTag = (item: Item, name: string) => (item['tags'] as string[]).includes(name.toLowerCase());
    const found = (resource === 'projects' ? this.projectsOf(caller) : this.childrenOf(resource, project!.id))
      .filter((item) => resource !== 'links' || archived === 'any' || String(item['archived']) === archived)
      .filter((item) => (tag === undefined || hasTag(item, tag)) && (unwanted === undefined || !hasTag(item, unwanted)))
      .filter((item) => Object.entries(filters).every(([field, value]) => item[field] === value))
      .filter((item) => search === '' || kinds[resource].searched.some((field) => contains(item[field], search)))
      .sort((a, b) => byCodePoint(String(a[sortBy]), String(b[sortBy])) || byCodePoint(a.id, b.id));
    if (sortOrder === 'desc') found.reverse();
    const totalPages = Math.ceil(found.length / Number(limit));
    return {
      data: found
        .slice((Number(page) - 1) * Number(limit), Number(page) * Number(limit))
        .map((item) => this.#render(resource, item, true, true)),
      pagination: {
        page: Number(page),
        limit: Number(limit),
        total: found.length,
        totalPages,
        hasNextPage: Number(page) < totalPages,
        hasPreviousPage: Number(page) > 1 && totalPages > 0,
      },
    };
  }

  #render(resource: Resource, item: Item, embedded = false, listed = false): unknown {
    const host = this.items.projects.find(({ id }) => id === item['project_id'])?.['subdomain'];
    const url = (path: unknown) => `http://${String(host)}.localhost:3000/${String(path)}`;
    if (resource === 'short-links') return { ...item, short_url: url(item['slug']) };
    if (resource === 'projects' && listed)
      return { ...item, _count: { dynamic_links: this.childrenOf('links', item.id).length } };
    if (resource !== 'links') return { ...item };
    const summary = (kind: Resource, app: unknown, field: string) => {
      const found = this.items[kind].find(({ id }) => id === app);
      return found ? { id: found.id, name: found['name'], [field]: found[field] } : null;
    };
    const { password: _, ...readable } = item;
    return {
      ...readable,
      has_password: false,
      full_url: url(item['custom_path']),
      imported_from: null,
      original_created_at: null,
      original_clicks: null,
      ...(embedded && {
        ios_apps: summary('ios-apps', item['ios_app_id'], 'bundle_id'),
        android_apps: summary('android-apps', item['android_app_id'], 'package_name'),
      }),
    };
  }
}

/** Updates the item in place, because other code compares items by identity. */
function update(item: Item, body: Record<string, unknown>, received: Partial<Item>): Item {
  const changed = Object.entries(body).some(([name, value]) => JSON.stringify(item[name]) !== JSON.stringify(value));
  return Object.assign(item, body, changed && { updated_at: received.updated_at });
}

const contains = (text: unknown, search: string): boolean =>
  typeof text === 'string' && text.toLowerCase().includes(search.toLowerCase());
