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
import { type MessagePage, methodPage, notFoundPage, unavailablePage } from '../link-routing/pages/messages';
import type { Metrics } from '../platform/observability/metrics';
import type { VisitReport, VisitReports } from './recording/visit-reports';
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
      this.#fail(error, request, response, requestId, report);
      count('failed');
    };
    try {
      const answer = report
        ? report.run(() => this.#answer(site, request, response, requestId, report))
        : this.#answer(site, request, response, requestId, undefined);
      if (typeof answer === 'string') count(answer);
      else answer.then(count).catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  #answer(
    site: Site,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    report: VisitReport | undefined,
  ): LinkAnswer | Promise<LinkAnswer> {
    const { method } = request;
    const target = readTarget(request.url ?? '');
    const operation = target ? this.appRequests.operationAt(target.path) : undefined;
    if (operation && method === 'POST')
      return this.appRequests
        .answer(operation, () => this.#projectOf(site), request, response, requestId, report?.traceId)
        .then(() => operation.name);
    if (operation && method === 'OPTIONS') {
      sendPreflight(response, requestId);
      return 'preflight';
    }
    const answer = (project: CachedProject | null): LinkAnswer | Promise<LinkAnswer> => {
      if (report) report.projectId = project?.id;
      const headers = { 'X-Request-Id': requestId };
      if (method === 'POST' && target && project)
        return this.#post(project, target, request, response, requestId, report);
      if (method !== 'GET' && method !== 'HEAD') {
        const allowed = { Allow: operation ? 'GET, HEAD, OPTIONS, POST' : 'GET, HEAD' };
        return this.#sendMessage(request, response, 405, methodPage, { ...headers, ...allowed });
      }
      if (!target || !project) return this.#sendMessage(request, response, 404, notFoundPage, headers);
      return this.#get(project, target, request, response, requestId, report);
    };
    const project = this.#projectOf(site);
    return project instanceof Promise ? project.then(answer) : answer(project);
  }

  /** Returns synchronously if the project is cached, or if the host cannot name one. */
  #projectOf(site: Site): CachedProject | null | Promise<CachedProject | null> {
    return this.resolver.knownProject(site) ?? this.resolver.findProject(site);
  }

  /** Answers the form of a locked link. */
  async #post(
    project: CachedProject,
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    report: VisitReport | undefined,
  ): Promise<LinkAnswer> {
    const resolved = await this.resolver.visitedAt(project, target);
    if (report) report.linkId = resolved?.link.id;
    const lock = resolved?.link.lock;
    if (!resolved || !lock) {
      const headers = { 'X-Request-Id': requestId, Allow: 'GET, HEAD' };
      return this.#sendMessage(request, response, 405, methodPage, headers);
    }
    const visit = { project, ...resolved, requestId };
    const answer = await this.visits.unlock(visit, lock, request, response);
    return answer ?? this.#sendNotFound(project, target, request, response, requestId);
  }

  #get(
    project: CachedProject,
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    report: VisitReport | undefined,
  ): LinkAnswer | Promise<LinkAnswer> {
    const { path, linkPath, query } = target;
    const isTested = isTest(query);
    const known = isTested ? undefined : this.resolver.knownLink(project, linkPath);
    if (report) report.linkId = known?.id;
    if (known) {
      // The cast is safe, because only valid paths are cached.
      const visit = { project, link: known, path: linkPath as LinkPath, query, requestId };
      const answer = this.visits.answer(visit, request, response);
      return answer ?? this.#sendNotFound(project, target, request, response, requestId);
    }
    const notFound = () => this.#sendNotFound(project, target, request, response, requestId);
    const file = associationFiles.get(path);
    if (file) {
      const files = project.files ?? this.files.filesOf(project);
      if (!(files instanceof Promise)) return sendAssociationFile(request, response, files[file], requestId);
      return files.then((built) => sendAssociationFile(request, response, built[file], requestId));
    }
    if (path === hostProofPath) return sendHostProof(request, response, project, requestId);
    if (isPicturePath(path))
      return this.pictures
        .send(project, path, request, response, requestId)
        .then((isSent) => (isSent ? 'picture' : notFound()));
    if (isTested) return this.tests.answer(project, target, request, response, requestId);
    if (path === longLinkPath)
      return this.visits.answerLongLink({ project, query, requestId }, request, response) ?? notFound();
    return this.resolver.findVisited(project, target).then((resolved) => {
      if (report) report.linkId = resolved?.link.id;
      return (resolved && this.visits.answer({ project, ...resolved, requestId }, request, response)) ?? notFound();
    });
  }

  #sendNotFound(
    project: CachedProject,
    { path, query }: Target,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): LinkAnswer {
    const url = unknownAddressUrl(project, path, readVisitorQuery(query).visitorQuery);
    if (url === null) return this.#sendMessage(request, response, 404, notFoundPage, { 'X-Request-Id': requestId });
    redirectTo(response, url, requestId);
    return 'not-found';
  }

  #sendMessage(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    pages: MessagePage,
    headers: Record<string, string | number>,
  ): LinkAnswer {
    sendMessage(request, response, status, pages, headers);
    return status === 404 ? 'not-found' : 'refused';
  }

  #fail(
    error: unknown,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    report: VisitReport | undefined,
  ): void {
    const ids = { request_id: requestId, trace_id: report?.traceId };
    this.log.error({ ...ids, error: describeForLog(error) }, 'visit failed');
    if (response.headersSent) return void response.destroy();
    const unavailable = isUnavailable(error) || error instanceof PictureStoreUnavailable;
    this.#sendMessage(request, response, unavailable ? 503 : 500, unavailablePage, {
      'X-Request-Id': requestId,
      ...(unavailable && { 'Retry-After': 5 }),
    });
  }
}
