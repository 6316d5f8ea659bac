import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AppEvent } from '../clicks/app-events/app-event';
import { clickIdOf } from '../clicks/conversions/click-id';
import { countsConversions } from '../link-routing/destination';
import { openAnswer } from '../link-routing/open-answer';
import { chosenVariant } from '../link-routing/variants';
import { preferredLanguageOf } from '../link-routing/preferred-language';
import { readVisitorQuery } from '../link-routing/visitor-query';
import type { LinkHosts } from '../links/link-paths/link-hosts';
import { NotFound } from '../shared/domain-error';
import { InvalidInput } from '../shared/problem';
import { refused, Rule, wrongType } from '../shared/rule';
import { text } from '../shared/text';
import { parseUrl } from '../shared/url';
import { type AppOperation, drawnId, type FindProject, readFields } from './app-requests';
import type { AppEventRecorder } from './app-event-recorder';
import type { ClickIds } from './click-ids';
import type { ClickReader } from './click-reader';
import type { LinkResolver } from './link-resolver';
import type { Site } from './site';
import { readTarget } from './target';
import type { HashOfVisitor } from './visitor-keys';

export const openPath = 'links/open';

/** Longer URLs reach no link, because the headers of a visit are limited. */
const urlText = text({ min: 1, max: 8192 });

const webUrl = new Rule<URL>({ ...urlText.schema, format: 'uri' }, (input) => {
  const reading = urlText.safeParse(input);
  if ('problems' in reading) return reading;
  const url = parseUrl(reading.value);
  return url?.protocol === 'https:' || url?.protocol === 'http:'
    ? { value: url }
    : refused('invalid_format', 'must be an http or https URL');
});

const appFields = {
  bundle_id: text({ min: 1, max: 255 }),
  package_name: text({ min: 1, max: 255 }),
  version: text({ min: 1, max: 50 }),
  build: text({ min: 1, max: 50 }),
};

const fields = {
  url: webUrl,
  app: new Rule<object>({ type: 'object' }, (input) =>
    typeof input === 'object' && input !== null && !Array.isArray(input) ? { value: input } : wrongType('object'),
  ),
  open_id: drawnId,
};

/** Answers `POST /links/open`: the app sends the URL that the system gave it, and gets the link. */
export class AppOpens implements AppOperation {
  readonly name = 'open';

  /** @param recorder null if visits are not recorded */
  constructor(
    private readonly resolver: LinkResolver,
    private readonly hosts: LinkHosts,
    private readonly siteOf: (host: string) => Site | null,
    private readonly clickReader: Pick<ClickReader, 'now' | 'countryOf' | 'proxiedAddressOf'>,
    private readonly recorder: AppEventRecorder | null,
    private readonly clickIds: ClickIds | null,
    private readonly hashOf: HashOfVisitor,
  ) {}

  /** @throws InvalidInput, ForbiddenField, DatabaseUnavailable; NotFound if the URL is not that of an enabled link of the host's project */
  async answer(body: unknown, findProject: FindProject, request: IncomingMessage) {
    const { url, app, open_id: id } = readFields(body, fields);
    const { platform, version } = readApp(app);
    const asked = await findProject();
    const site = this.siteOf(url.host);
    const project = site && (this.resolver.knownProject(site) ?? (await this.resolver.findProject(site)));
    if (!asked || !project || project.id !== asked.id) throw notFound();
    const target = readTarget(url.pathname + url.search)!;
    const known = this.resolver.knownLink(project, target.linkPath);
    const visited = known ? { link: known, query: target.query } : await this.resolver.findVisited(project, target);
    if (!visited) throw notFound();
    const { link } = visited;
    const { visitorQuery, via } = readVisitorQuery(visited.query);
    const at = this.clickReader.now();
    const country = this.clickReader.countryOf(request);
    const isCounted = this.clickIds !== null && countsConversions(project, link);
    // An app that opens several links with one id gets an id for each.
    const clickId = isCounted ? clickIdOf(`${project.id} ${link.id} ${id}`) : null;
    const data = openAnswer(
      this.hosts,
      project,
      link,
      {
        system: { platform, version: null },
        browser: null,
        country,
        language: preferredLanguageOf(request.headers['accept-language']),
        at,
        query: visitorQuery,
        referringHost: null,
        address: this.clickReader.proxiedAddressOf(request),
        qr: via === 'qr',
        appVersion: version,
      },
      clickId,
      (variants) => chosenVariant(variants, this.hashOf(link.id, request)),
    );
    if (!data) throw notFound();
    if (clickId !== null) this.clickIds?.issue(project.id, link, platform, data.variant, clickId);
    const event: AppEvent = {
      event: 'open',
      digest: createHash('sha256').update(`${project.id} ${id}`).digest(),
      projectId: project.id,
      dynamicLinkId: link.id,
      at,
      platform,
      version,
      country: country ?? '',
      variant: data.variant ?? '',
      times: 1,
    };
    await this.recorder?.record(event);
    return data;
  }
}

const notFound = () => new NotFound('Link');

/** @throws InvalidInput, ForbiddenField */
function readApp(input: object): { platform: 'ios' | 'android'; version: string } {
  const app = readFields(input, appFields, ['bundle_id', 'package_name', 'build'], ['app']);
  if ((app.bundle_id === undefined) === (app.package_name === undefined))
    throw InvalidInput.asAWhole('invalid_type', 'app must have either bundle_id or package_name', ['app']);
  return { platform: app.bundle_id === undefined ? 'android' : 'ios', version: app.version };
}
