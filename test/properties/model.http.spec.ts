import { textExamples } from '../contracts/fields';
import { sendApiRequest } from '../support/api-request';
import { aFingerprint, unique, unknownId } from '../support/builders';
import { serviceFixture } from '../support/fixtures';
import type { TestAccount } from '../support/service';
import { type Item, kinds, Model, type ModelRequest, type Resource, resources, type Verb } from './model';
import { fc, runs } from '../support/properties';
import { scale } from '../support/scale';

const on = serviceFixture();

/** Describes an id that is resolved during the run: a suitable one, any id of the kind ever created, or an unknown one. */
interface Pick {
  from: 'fitting' | 'ever' | 'nowhere';
  at: number;
}
const pick = fc.record<Pick>({
  from: fc.oneof(
    { weight: 16, arbitrary: fc.constant('fitting' as const) },
    { weight: 3, arbitrary: fc.constant('ever' as const) },
    { weight: 1, arbitrary: fc.constant('nowhere' as const) },
  ),
  at: fc.nat(20),
});

// Small pools, so that names collide and searches match. `～` sorts before `😀` by code point and after it by UTF-16 unit.
const names = ['Sale', 'sale', '100%', '100 of a_b', 'a\\b', 'axb', '～', '😀', 'Äpfel'];
const searches = ['', 'sale', 'SALE', '%', '_', '\\', 'a_b', 'äpfel', 'com.example', 'zzz'];
const paths = ['sale', 'Sale', 'abc', 'abc/d', 'b-1'];
const slugs = ['sale', 'abc', 'b-1'];
const subdomains = ['one', 'two', 'three', 'www'];
const urls = ['https://example.com/one', 'https://example.com/two?own=1#part'];
const params = [{}, { utm_source: 'mail' }, { b: '2', a: 'ä &=' }];

const one = <T>(pool: readonly T[]) => fc.constantFrom(...pool);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 4 });

const fields: Record<Resource, Record<string, fc.Arbitrary<unknown>>> = {
  projects: {
    name: one(names),
    subdomain: one(subdomains),
    long_link_destinations: one([[], ['shop.example.com', '*.example.com']]),
    root_url: orNull(one(urls)),
    not_found_url: orNull(one(urls)),
    expired_url: orNull(one(urls)),
    click_limit: orNull(one([1, 7])),
    query_forwarding: one(['all']),
    forwarded_params: one([[], ['a', 'utm_source']]),
    allowed_schemes: one([[], ['mailto', 'shop']]),
    release_guard: one(['refuse', 'warn', 'off']),
    retire_releases_after_days: one([null, 1, 3650]),
    retire_releases_below_percent: one([null, 1, 50]),
    conversions: one([false]),
    click_id_param: one(['click_id', 'ref']),
    conversion_window_days: one([1, 30]),
  },
  links: {
    ...Object.fromEntries(Object.keys(textExamples).map((name) => [name, orNull(one(names))])),
    name: one(names),
    custom_path: one(paths),
    desktop_url: orNull(one(urls)),
    ios_app_id: orNull(pick),
    android_app_id: orNull(pick),
    ios_fallback_url: orNull(one(urls)),
    android_fallback_url: orNull(one(urls)),
    ios_deferred_deep_link: fc.boolean(),
    social_image_url: orNull(one(urls)),
    referrer_params: orNull(one(params)),
    app_data: orNull(one([{}, { screen: 'sale', more: { z: 1, a: true } }])),
    query_forwarding: orNull(one(['all'])),
    forwarded_params: one([[], ['a', 'utm_source']]),
    variants: orNull(one([['A', 'B'].map((name) => ({ name, url: urls[0]!, weight: 1 }))])),
    rules: orNull(one([[{ when: { qr: true }, then: { app: true } }]])),
    active_from: orNull(one(['2026-01-01T00:00:00.000Z'])),
    active_until: orNull(one(['2036-01-01T00:00:00.000Z'])),
    expired_url: orNull(one(urls)),
    external_id: orNull(one(['crm-1', 'CRM-1', 'crm/2'])),
    archived: fc.boolean(),
    tags: fc.subarray(['news', 'sale', 'äpfel']),
    disabled: fc.boolean(),
    conversions: one([false]),
  },
  'short-links': { dynamic_link_id: pick, slug: one(slugs) },
  'ios-apps': {
    name: one(names),
    bundle_id: one(['com.example.a', 'com.example.A', 'com.example.b']),
    team_id: one(['ABCDE12345', 'ZYXWV98765']),
    appstore_id: orNull(one(['1', '123456789'])),
    app_clip_bundle_id: orNull(one(['com.example.a.Clip'])),
    paths: orNull(one([[], ['/shop/*']])),
    shared_credentials: one([true, false]),
  },
  'android-apps': {
    name: one(names),
    package_name: one(['com.example.a', 'com.example.A', 'com.example.b']),
    sha_fingerprints: one([[aFingerprint(0)], [aFingerprint(1), aFingerprint(2)]]),
    android_stores: orNull(one([{}, { samsung: 'com.example.a' }])),
    paths: orNull(one([[], ['/shop/*']])),
    shared_credentials: one([true, false]),
  },
};

const filters: Record<string, Resource> = {
  ios_app_id: 'ios-apps',
  android_app_id: 'android-apps',
  dynamic_link_id: 'links',
};

const page = { page: one(['1', '2', '3']), limit: one(['1', '2', '10', '10', '100', '0']) };
const listed = (...sortKeys: string[]) => ({
  ...page,
  search: one(searches),
  sortBy: one([...sortKeys, 'created_at', 'updated_at']),
  sortOrder: one(['asc', 'desc']),
});
const queries: Record<Resource, Record<string, fc.Arbitrary<unknown>>> = {
  projects: listed('name', 'subdomain'),
  links: {
    ...listed('name', 'custom_path'),
    ios_app_id: pick,
    android_app_id: pick,
    external_id: one(['crm-1', 'CRM-1']),
    archived: one(['false', 'true', 'any']),
    tag: one(['news', 'SALE', 'other']),
    exclude_tag: one(['ÄPFEL', 'other']),
  },
  'short-links': { ...page, dynamic_link_id: pick },
  'ios-apps': listed('name', 'bundle_id'),
  'android-apps': listed('name', 'package_name'),
};

interface Step {
  resource: Resource;
  verb: Verb;
  stranger: boolean;
  project: Pick;
  id: Pick;
  required: Record<string, unknown>;
  some: Record<string, unknown>;
  query: Record<string, unknown>;
  flaw: 'none' | 'forbidden' | 'blank' | 'null';
}

const weighted = <T extends string>(weights: Record<T, number>): fc.Arbitrary<T> =>
  fc.oneof(...(Object.keys(weights) as T[]).map((key) => ({ weight: weights[key], arbitrary: fc.constant(key) })));

const stepOn = (resource: Resource): fc.Arbitrary<Step> =>
  fc.record({
    resource: fc.constant(resource),
    verb: weighted<Verb>({
      create: 4,
      update: resource === 'short-links' ? 0 : 4,
      delete: resource === 'projects' ? 2 : 3,
      get: 2,
      list: 2,
    }),
    stranger: weighted({ no: 9, yes: 1 }).map((answer) => answer === 'yes'),
    project: pick,
    id: pick,
    required: fc.record(Object.fromEntries(kinds[resource].required.map((name) => [name, fields[resource][name]!]))),
    some: fc.record(fields[resource], { requiredKeys: [] }),
    query: fc.record(queries[resource], { requiredKeys: [] }),
    flaw: weighted({ none: 15, forbidden: 1, blank: 1, null: 1 }),
  });

const weights: Record<Resource, number> = { projects: 2, links: 5, 'short-links': 3, 'ios-apps': 3, 'android-apps': 3 };
const step = fc.oneof(...resources.map((resource) => ({ weight: weights[resource], arbitrary: stepOn(resource) })));

/** Generates long sequences; irrelevant steps of a failing sequence shrink to none. */
const stepOrNone = fc.option(step, { freq: 50 });

/** Runs the model and the service in parallel, with two new accounts and unique subdomains. */
class Run {
  readonly model = new Model();
  readonly mark = unique('run');
  readonly #ever: Record<string, string[]> = {};

  constructor(
    readonly own: TestAccount,
    readonly stranger: TestAccount,
    private readonly reached: Set<string>,
  ) {}

  /** Creates a project with one resource of each kind; the link references both apps or none. */
  async furnish(caller: TestAccount, subdomain: string, linkToApps: boolean): Promise<void> {
    const make = async (resource: Resource, body: Record<string, unknown>, projectId?: string): Promise<string> => {
      await this.agree({ caller, resource, verb: 'create', body, ...(projectId !== undefined && { projectId }) });
      return this.model.items[resource].at(-1)!.id;
    };
    const name = 'Sale';
    const project = await make('projects', { name, subdomain: `${this.mark}-${subdomain}` });
    const app = { name, bundle_id: 'com.example.a', team_id: 'ABCDE12345' };
    const iosApp = await make('ios-apps', app, project);
    const ofAndroid = { name, package_name: 'com.example.a', sha_fingerprints: [aFingerprint(0)] };
    const apps = { ios_app_id: iosApp, android_app_id: await make('android-apps', ofAndroid, project) };
    const link = await make('links', { name, custom_path: 'sale', ...(linkToApps && apps) }, project);
    await make('short-links', { dynamic_link_id: link, slug: 'abc' }, project);
  }

  async take(step: Step): Promise<void> {
    await this.agree(this.request(step));
  }

  /** Sends the request; expects the answer of the model and of the OpenAPI description. */
  async agree(request: ModelRequest): Promise<void> {
    const method = { create: 'POST', update: 'PUT', delete: 'DELETE', get: 'GET', list: 'GET' }[request.verb];
    const key = (request.caller as TestAccount).key;
    const json = request.body && JSON.stringify(request.body);
    const { body, status, headers } = await sendApiRequest(on, key, method, pathOf(request), json);
    const { data, error } = body as { data?: Item; error?: { code: string } };
    const before = this.find(request)?.updated_at ?? '';
    const expected = this.model.answer(request, data);
    const label = `${method} ${pathOf(request)} ${JSON.stringify(request.body)}`;
    if ('code' in expected)
      expect({ label, code: error?.code ?? `success ${status}` }).toEqual({ label, code: expected.code });
    else expect({ label, status, body }).toEqual({ label, status: request.verb === 'create' ? 201 : 200, ...expected });
    this.reached.add(`${request.verb} ${request.resource}: ${'code' in expected ? expected.code : 'success'}`);
    if (request.verb === 'create' && status === 201) this.checkMade(request, data!, headers['location']!);
    if (request.verb === 'update' && status === 200) expect(data!.updated_at >= before).toBe(true);
  }

  /** Checks the form of the values that the model takes from the service. */
  private checkMade(request: ModelRequest, made: Item, location: string): void {
    expect(location).toBe(`http://localhost:3000/api/v1${pathOf(request)}/${made.id}`);
    expect(this.#ever[request.resource] ?? []).not.toContain(made.id);
    (this.#ever[request.resource] ??= []).push(made.id);
    expect(made.updated_at).toBe(made.created_at);
    expect(Math.abs(Date.parse(made.created_at) - Date.now())).toBeLessThan(60_000);
    if (request.resource === 'links' && !request.body!['custom_path'])
      expect(made['custom_path']).toMatch(/^[A-Za-z0-9]{8}$/);
    if (request.resource === 'short-links' && !request.body!['slug']) expect(made['slug']).toMatch(/^[a-z0-9]{4}$/);
  }

  private find({ resource, id, projectId }: ModelRequest): Item | undefined {
    return this.model.items[resource].find((item) => item.id === (resource === 'projects' ? projectId : id));
  }

  private request(step: Step): ModelRequest {
    const { resource, verb } = step;
    const caller = step.stranger ? this.stranger : this.own;
    const ofProjects = resource === 'projects';
    const projectId =
      ofProjects && (verb === 'create' || verb === 'list')
        ? undefined
        : this.idOf(step.project, 'projects', this.model.projectsOf(caller));
    const idOf = (picked: Pick, kind: Resource) => this.idOf(picked, kind, this.model.childrenOf(kind, projectId));
    const resolved = (given: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [
          name,
          filters[name] && value !== null
            ? idOf(value as Pick, filters[name])
            : name === 'subdomain' && value !== 'www'
              ? `${this.mark}-${String(value)}`
              : value,
        ]),
      );
    return {
      caller,
      resource,
      verb,
      ...(projectId !== undefined && { projectId }),
      ...(!ofProjects && verb !== 'create' && verb !== 'list' && { id: idOf(step.id, resource) }),
      ...((verb === 'create' || verb === 'update') && { body: resolved(bodyOf(step)) }),
      ...(verb === 'list' && { query: resolved(step.query) as Record<string, string> }),
    };
  }

  private idOf({ from, at }: Pick, kind: Resource, fitting: Item[]): string {
    const ever = this.#ever[kind] ?? [];
    const pool = { fitting: fitting.map(({ id }) => id), ever, nowhere: [] }[from];
    return pool[at % pool.length] ?? unknownId;
  }

  /** Reads every resource of the model from the service, then visits every path on every host. */
  async audit(): Promise<void> {
    for (const caller of [this.own, this.stranger]) {
      await this.agree({ caller, resource: 'projects', verb: 'list', query: { limit: '100' } });
      for (const { id: projectId } of this.model.projectsOf(caller))
        for (const resource of resources.slice(1))
          await this.agree({ caller, resource, verb: 'list', projectId, query: allOf(resource) });
    }
    for (const subdomain of subdomains.slice(0, 3)) await this.auditHost(`${this.mark}-${subdomain}`);
  }

  private async auditHost(subdomain: string): Promise<void> {
    const project = this.model.projectOn(subdomain);
    const resolving = project ? this.model.pathsOf(project.id) : new Map<string, Item>();
    for (const path of new Set([...paths, ...slugs, 'never', ...resolving.keys()])) {
      const { status, headers } = await on.visit(subdomain, `/${path}`);
      const answer = { subdomain, path, status, location: headers['location'] };
      const inOtherCase = [...resolving.keys()].filter((other) => other.toLowerCase() === path.toLowerCase());
      const meant = resolving.has(path) || inOtherCase.length !== 1 ? path : inOtherCase[0]!;
      expect(answer).toEqual({ subdomain, path, ...visitOf(resolving.get(meant), project) });
    }
  }
}

function visitOf(link: Item | undefined, project: Item | undefined): { status: number; location: string | undefined } {
  const unknown = (project?.['not_found_url'] ?? undefined) as string | undefined;
  if (!link) return { status: unknown === undefined ? 404 : 302, location: unknown };
  if (link['disabled']) return { status: 410, location: undefined };
  if (link['desktop_url'] === null) return { status: 200, location: undefined };
  const [address, fragment] = (link['desktop_url'] as string).split('#');
  const pairs = Object.entries(link['referrer_params'] ?? {}).map((pair) => pair.map(encodeURIComponent).join('='));
  const query = pairs.length > 0 ? `${address!.includes('?') ? '&' : '?'}${pairs.join('&')}` : '';
  return { status: 302, location: `${address}${query}${fragment ? `#${fragment}` : ''}` };
}

const allOf = (resource: Resource) => ({ limit: '100', ...(resource === 'links' && { archived: 'any' }) });

function pathOf({ resource, projectId, id, query }: ModelRequest): string {
  const search = query && new URLSearchParams(query).toString();
  const parts = resource === 'projects' ? ['projects', projectId] : ['projects', projectId, resource, id];
  return `/${parts.filter((part) => part !== undefined).join('/')}${search ? `?${search}` : ''}`;
}

function bodyOf({ verb, required, some, flaw }: Step): Record<string, unknown> {
  const given = verb === 'create' ? { ...required, ...some } : some;
  const body = Object.fromEntries(
    Object.entries(given).filter(([, value]) => verb === 'update' || value !== null || flaw === 'null'),
  );
  if (flaw === 'forbidden') body['id'] = unknownId;
  if (flaw === 'blank' && 'name' in required) body['name'] = ' ';
  if (flaw === 'null' && 'name' in required) body['name'] = null;
  return body;
}

/** Every success, and the frequent refusals that depend on state. */
const requiredOutcomes = [
  ...resources.flatMap((resource) =>
    (['create', 'update', 'delete', 'get', 'list'] as const)
      .filter((verb) => resource !== 'short-links' || verb !== 'update')
      .map((verb) => `${verb} ${resource}: success`),
  ),
  'create projects: SUBDOMAIN_TAKEN',
  'update projects: SUBDOMAIN_TAKEN',
  'create links: CUSTOM_PATH_EXISTS',
  'create links: EXTERNAL_ID_EXISTS',
  'create links: FORBIDDEN_CROSS_SCOPE',
  'update links: FORBIDDEN_CROSS_SCOPE',
  'create short-links: SLUG_EXISTS',
  'create ios-apps: BUNDLE_ID_EXISTS',
  'delete ios-apps: LINKED_REFERENCES',
  'create android-apps: PACKAGE_NAME_EXISTS',
  'delete android-apps: LINKED_REFERENCES',
];

test('any sequence of operations leaves the service in the state of the model', async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(stepOrNone, { minLength: 15, maxLength: 25, size: 'max' }), async (steps) => {
      const run = new Run(await on.anAccount('enterprise'), await on.anAccount('enterprise'), reached);
      await run.furnish(run.own, 'one', true);
      await run.furnish(run.own, 'two', false);
      await run.furnish(run.stranger, 'theirs', true);
      for (const step of steps) if (step) await run.take(step);
      await run.audit();
    }),
    { ...runs(40, 4), interruptAfterTimeLimit: 150_000, markInterruptAsFailure: true },
  );
  // Otherwise the sequences are too simple to find errors. A reduced run reaches less.
  if (scale >= 1) expect([...reached]).toEqual(expect.arrayContaining(requiredOutcomes));
});
