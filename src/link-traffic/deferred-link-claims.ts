import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { DeferredLinksService } from './deferred-links/deferred-links.service';
import { asObject } from '../links/dynamic-links/referrer-params';
import type { ClientAddresses } from '../platform/http/client-address';
import { describeForLog } from '../platform/http/log-redaction';
import { errorAnswer } from '../api-kit/kit/error-answer';
import { countRequest } from '../platform/rate-limit/rate-limit';
import type { LinkPath } from '../links/link-paths/custom-path';
import type { LinkHosts } from '../links/link-paths/link-hosts';
import type { Clock } from '../shared/clock';
import { NotFound } from '../shared/domain-error';
import { ForbiddenField, inField, InvalidInput, isRequired } from '../shared/problem';
import { text } from '../shared/text';
import type { VisitedProject } from '../link-routing/visited-link';

/** The path for claims, without the leading slash. */
export const claimPath = 'deferred-links/claim';

/** From the clipboard, or from the install referrer. */
const tokenText = text({ min: 1, max: 100 });

/** Answers `POST /deferred-links/claim` on link hosts. Apps call it without an API key. */
export class DeferredLinkClaims {
  constructor(
    private readonly deferredLinks: DeferredLinksService,
    private readonly hosts: LinkHosts,
    private readonly addresses: ClientAddresses,
    private readonly counts: ThrottlerStorage,
    private readonly limitPerMinute: number,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** @param findProject returns null if no project answers on the host */
  async answer(
    findProject: () => VisitedProject | null | Promise<VisitedProject | null>,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    traceId: string | undefined,
  ): Promise<void> {
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    try {
      const network = this.addresses.networkOf(request);
      await countRequest(this.counts, `claim:${network}`, this.limitPerMinute, () => this.clock.now(), response);
      // Loaded by the first claim, because it loads Express, which visits do not need.
      const { jsonBody } = await import('../api-kit/kit/json-body.js');
      const sent = await jsonBody(request as Request, response as Response);
      const token = tokenOf(sent);
      sendJson(response, 200, { data: await this.#claim(await findProject(), token) });
    } catch (error) {
      const { status, headers, body, logged } = errorAnswer(error, 'GET');
      if (logged) {
        const ids = { request_id: requestId, trace_id: traceId };
        this.log.error({ ...ids, error: describeForLog(error) }, 'claim failed');
      }
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      sendJson(response, status, body);
    }
  }

  /** @throws NotFound if the token is unknown, used, expired or of another project */
  async #claim(project: VisitedProject | null, token: string) {
    const claimed = project && (await this.deferredLinks.claim(project.id, token));
    if (!claimed) throw new NotFound('Deferred link');
    const path = claimed.customPath as LinkPath;
    return {
      full_url: this.hosts.urlOf(project, path),
      path,
      referrer_params: claimed.referrerParams.length > 0 ? asObject(claimed.referrerParams) : null,
      app_data: claimed.appData === null ? null : (JSON.parse(claimed.appData) as unknown),
      clicked_at: claimed.clickedAt.toISOString(),
    };
  }
}

/**
 * Reads the body of a claim. Nest's pipe would do the same, but link traffic does not load Nest.
 * @throws ForbiddenField, InvalidInput
 */
function tokenOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw InvalidInput.asAWhole('invalid_type', 'The body must be a JSON object');
  const unknown = Object.keys(body).filter((name) => name !== 'token');
  if (unknown.length > 0) throw new ForbiddenField(unknown);
  const { token } = body as { token?: unknown };
  if (token === undefined) throw InvalidInput.because(inField('token', [isRequired]));
  const reading = tokenText.safeParse(token);
  if ('problems' in reading) throw InvalidInput.because(inField('token', reading.problems));
  return reading.value;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const json = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(json),
  });
  response.end(json);
}
