import { InvalidInput } from '../../shared/problem';
import { refused, Rule, wrongType } from '../../shared/rule';
import { text } from '../../shared/text';
import { parseUrl } from '../../shared/url';
import { type FindProject, readFields } from './app-requests';
import type { CachedLink, CachedProject } from '../resolving/cached-models';
import type { LinkResolver } from '../resolving/link-resolver';
import type { Site } from '../resolving/site';
import { readTarget } from '../resolving/target';
import { isObject } from '../../shared/is-object';

/** Longer URLs reach no link, because the headers of a visit are limited. */
const urlText = text({ min: 1, max: 8192 });

export const openedUrl = new Rule<URL>({ ...urlText.schema, format: 'uri' }, (input) => {
  const reading = urlText.safeParse(input);
  if ('problems' in reading) return reading;
  const url = parseUrl(reading.value);
  return url?.protocol === 'https:' || url?.protocol === 'http:'
    ? { value: url }
    : refused('invalid_format', 'must be an http or https URL');
});

/** The app, of which `readApp` reads the fields. */
export const appObject = new Rule<object>({ type: 'object' }, (input) =>
  isObject(input) ? { value: input } : wrongType('object'),
);

const appFields = {
  bundle_id: text({ min: 1, max: 255 }),
  package_name: text({ min: 1, max: 255 }),
  version: text({ min: 1, max: 50 }),
  build: text({ min: 1, max: 50 }),
};

/** @throws InvalidInput, ForbiddenField */
export function readApp(input: object): { platform: 'ios' | 'android'; version: string } {
  const app = readFields(input, appFields, ['bundle_id', 'package_name', 'build'], ['app']);
  if ((app.bundle_id === undefined) === (app.package_name === undefined))
    throw InvalidInput.asAWhole('invalid_type', 'app must have either bundle_id or package_name', ['app']);
  return { platform: app.bundle_id === undefined ? 'android' : 'ios', version: app.version };
}

interface AppUrl {
  project: CachedProject;
  link: CachedLink;
  /** The query without `?`, as sent. */
  query: string;
}

/** Finds the links of URLs that apps send. */
export class AppUrls {
  constructor(
    private readonly resolver: LinkResolver,
    private readonly siteOf: (host: string) => Site | null,
  ) {}

  /** Returns null if the URL is not that of a link of the project of the requested host. */
  async find(url: URL, findProject: FindProject): Promise<AppUrl | null> {
    const asked = await findProject();
    const site = this.siteOf(url.host);
    const project = site && (this.resolver.knownProject(site) ?? (await this.resolver.findProject(site)));
    if (!asked || !project || project.id !== asked.id) return null;
    const visited = await this.resolver.visitedAt(project, readTarget(url.pathname + url.search)!);
    return visited && { project, link: visited.link, query: visited.query };
  }
}
