import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { PictureStoreUnavailable } from '../links/pictures/picture-store';
import { isUnavailable } from '../platform/postgres/database-error';
import { describeForLog } from '../platform/http/log-redaction';
import { requestIdFrom } from '../platform/http/request-id';
import type { LinkPath } from '../link-paths/paths/custom-path';
import { hostProofPath } from '../link-paths/paths/host-proof';
import { isPicturePath } from '../links/pictures/picture';
import { redirectTo, sendMessage } from './answers/answer-page';
import { type AppRequests, sendPreflight } from './apps/app-requests';
import type { AssociationFileCache } from './answers/association-file-cache';
import type { CachedProject } from './resolving/cached-models';
import type { Exchange } from './exchange';
import { associationFiles, sendAssociationFile, sendHostProof } from './answers/host-files';
import type { LinkPictures } from './answers/link-pictures';
import type { LinkResolver } from './resolving/link-resolver';
import type { Site } from './resolving/site';
import type { LinkAnswer } from './link-answer';
import { readTarget, type Target } from './resolving/target';
import { isTest } from '../link-routing/visitor/continuation';
import { longLinkPath } from '../link-routing/visited-link/long-link';
import { unknownAddressUrl } from '../link-routing/visited-link/unknown-address';
import { readVisitorQuery } from '../link-routing/visited-link/visitor-query';
import { methodPage, notFoundPage, unavailablePage } from '../link-routing/pages/messages';
import type { Metrics } from '../platform/observability/metrics';
import type { VisitReports } from './recording/visit-reports';
import type { LinkTests } from './visits/link-tests';
import type { Visits } from './visits/visits';

/** The route label of metrics and spans. It is constant, because paths are unbounded. */
const route = '/{path}';

/**
 * Handles requests to link hosts. It runs before Nest, so that link hosts expose no route of the management API. Cached
 * links are answered synchronously.
 */
export class LinkTraffic {
  constructor(
    private readonly resolver: LinkResolver,
    private readonly visits: Visits,
    private readonly appRequests: AppRequests,
    private readonly files: AssociationFileCache,
    private readonly pictures: LinkPictures,
    private readonly tests: LinkTests,
    private readonly log: Logger,
    private readonly reports: VisitReports,
    private readonly metrics?: Metrics,
  ) {}

  handle(site: Site, request: IncomingMessage, response: ServerResponse): void {
    const startedAt = this.metrics ? performance.now() : 0;
    const requestId = requestIdFrom(request.headers['x-request-id']);
    const report = this.reports.begin(request, requestId, route);
    const exchange = { request, response, requestId, report };
    const count = (answer: LinkAnswer) => {
      report?.end(answer, response);
      if (!this.metrics) return;
      this.metrics.linkAnswer(answer);
      // Alerts count 503 as a failure.
      if (answer === 'prefetch') return;
      const seconds = (performance.now() - startedAt) / 1000;
      this.metrics.request('traffic', request.method ?? '', route, response.statusCode, seconds);
    };
    const fail = (error: unknown) => {
      this.#fail(exchange, error);
      count('failed');
    };
    try {
      const answer = report ? report.run(() => this.#answer(exchange, site)) : this.#answer(exchange, site);
      if (typeof answer === 'string') count(answer);
      else answer.then(count).catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  #answer(exchange: Exchange, site: Site): LinkAnswer | Promise<LinkAnswer> {
    const { request, report } = exchange;
    const { method } = request;
    const target = readTarget(request.url ?? '');
    const operation = target ? this.appRequests.operationAt(target.path) : undefined;
    if (operation && method === 'POST')
      return this.appRequests.answer(operation, () => this.#projectOf(site), exchange).then(() => operation.name);
    if (operation && method === 'OPTIONS') {
      sendPreflight(exchange);
      return 'preflight';
    }
    const answer = (project: CachedProject | null): LinkAnswer | Promise<LinkAnswer> => {
      if (report) report.projectId = project?.id;
      if (method === 'POST' && target && project) return this.#post(exchange, project, target);
      if (method !== 'GET' && method !== 'HEAD')
        return refuse(exchange, operation ? 'GET, HEAD, OPTIONS, POST' : 'GET, HEAD');
      return target && project ? this.#get(exchange, project, target) : sendNotFound(exchange);
    };
    const project = this.#projectOf(site);
    return project instanceof Promise ? project.then(answer) : answer(project);
  }

  /** Returns synchronously if the project is cached, or if the host cannot name one. */
  #projectOf(site: Site): CachedProject | null | Promise<CachedProject | null> {
    return this.resolver.knownProject(site) ?? this.resolver.findProject(site);
  }

  /** Answers the form of a locked link. */
  async #post(exchange: Exchange, project: CachedProject, target: Target): Promise<LinkAnswer> {
    const resolved = await this.resolver.visitedAt(project, target);
    if (exchange.report) exchange.report.linkId = resolved?.link.id;
    const lock = resolved?.link.lock;
    if (!resolved || !lock) return refuse(exchange, 'GET, HEAD');
    const answer = await this.visits.unlock(exchange, { project, ...resolved }, lock);
    return answer ?? sendUnknownAddress(exchange, project, target);
  }

  #get(exchange: Exchange, project: CachedProject, target: Target): LinkAnswer | Promise<LinkAnswer> {
    const { report } = exchange;
    const { path, linkPath, query } = target;
    const isTested = isTest(query);
    const known = isTested ? undefined : this.resolver.knownLink(project, linkPath);
    if (report) report.linkId = known?.id;
    const notFound = () => sendUnknownAddress(exchange, project, target);
    // The cast is safe, because only valid paths are cached.
    if (known)
      return this.visits.answer(exchange, { project, link: known, path: linkPath as LinkPath, query }) ?? notFound();
    const file = associationFiles.get(path);
    if (file) {
      const files = this.files.filesOf(project);
      if (!(files instanceof Promise)) return sendAssociationFile(exchange, files[file]);
      return files.then((built) => sendAssociationFile(exchange, built[file]));
    }
    if (path === hostProofPath) return sendHostProof(exchange, project);
    if (isPicturePath(path))
      return this.pictures.send(exchange, project, path).then((isSent) => (isSent ? 'picture' : notFound()));
    if (isTested) return this.tests.answer(exchange, project, target);
    if (path === longLinkPath) return this.visits.answerLongLink(exchange, { project, query }) ?? notFound();
    return this.resolver.findVisited(project, target).then((resolved) => {
      if (report) report.linkId = resolved?.link.id;
      return (resolved && this.visits.answer(exchange, { project, ...resolved })) ?? notFound();
    });
  }

  #fail(exchange: Exchange, error: unknown): void {
    const { response, requestId, report } = exchange;
    const ids = { request_id: requestId, trace_id: report?.traceId };
    this.log.error({ ...ids, error: describeForLog(error) }, 'visit failed');
    if (response.headersSent) return void response.destroy();
    const unavailable = isUnavailable(error) || error instanceof PictureStoreUnavailable;
    sendMessage(exchange, unavailable ? 503 : 500, unavailablePage, unavailable ? { 'Retry-After': 5 } : {});
  }
}

/** Sends visitors of an address without a link where the project says. */
function sendUnknownAddress(exchange: Exchange, project: CachedProject, { path, query }: Target): LinkAnswer {
  const url = unknownAddressUrl(project, path, readVisitorQuery(query).visitorQuery);
  if (url === null) return sendNotFound(exchange);
  redirectTo(exchange, url);
  return 'not-found';
}

function sendNotFound(exchange: Exchange): LinkAnswer {
  sendMessage(exchange, 404, notFoundPage);
  return 'not-found';
}

/** Refuses the method of a request. */
function refuse(exchange: Exchange, allowed: string): LinkAnswer {
  sendMessage(exchange, 405, methodPage, { Allow: allowed });
  return 'refused';
}
