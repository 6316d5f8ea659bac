import { randomBytes } from 'node:crypto';
import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { formBody } from '../../api-kit/kit/form-body';
import { Locations } from '../../api-kit/kit/locations';
import { AllowUnknownQuery } from '../../api-kit/kit/route-markers';
import { clientNetworkOf } from '../../platform/http/network';
import { countRequest } from '../../platform/rate-limit/rate-limit';
import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';
import { Clock } from '../../shared/clock';
import { NotFound } from '../../shared/domain-error';
import { Pepper } from '../../tenancy/api-keys/pepper';
import type { OpenShare } from './share';
import { hasPass, passCookie } from './share-pass';
import { SharedPage } from './shared-page';
import { sharedPageLanguageOf } from './shared-page-texts';
import { type SharedPeriod, sharedPeriods, SharedStatisticsService } from './shared-statistics.service';
import { SharesService } from './shares.service';

/** Per minute, beside the limit of each address. Readers of one page share the limits of the page. */
export const shareLimits = { views: 60, attempts: 30, attemptsOfNetwork: 5 };

/** Serves shared statistics to people without an account. */
@ApiExcludeController()
@AllowUnknownQuery()
@Controller('shared')
export class SharedStatisticsController {
  constructor(
    private readonly shares: SharesService,
    private readonly statistics: SharedStatisticsService,
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    private readonly locations: Locations,
    private readonly pepper: Pepper,
    private readonly clock: Clock,
  ) {}

  @Get(':token')
  async page(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.#answer(token, request, response, async (share, page) => {
      await this.#count(`share:${share.id}`, shareLimits.views, response);
      if (share.passwordHash !== null && !hasPass(request.headers.cookie, share, this.pepper.value, this.clock.now()))
        return [403, page.password(false)];
      return [200, page.statistics(share, await this.statistics.read(share, periodOf(request.query['period'])))];
    });
  }

  @Post(':token')
  async enter(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.#answer(token, request, response, async (share, page) => {
      if (share.passwordHash !== null) {
        const network = clientNetworkOf(request.ip, request.socket.remoteAddress);
        await this.#count(`share-password:${share.id}:${network}`, shareLimits.attemptsOfNetwork, response);
        await this.#count(`share-password:${share.id}`, shareLimits.attempts, response);
        const password = (await formBody(request)).get('password') ?? '';
        if (!(await this.shares.isPassword(share, password))) return [403, page.password(true)];
        const pass = passCookie(share, token, this.pepper.value, this.clock.now());
        response.setHeader('Set-Cookie', this.locations.isSecure ? `${pass}; Secure` : pass);
      }
      response.setHeader('Location', `/shared/${token}`);
      return [303, ''];
    });
  }

  /** Answers with a page, also if there is nothing to show. All pages that are gone look alike. */
  async #answer(
    token: string,
    request: Request,
    response: Response,
    render: (share: OpenShare, page: SharedPage) => Promise<[status: number, html: string]>,
  ): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    const page = new SharedPage(sharedPageLanguageOf(request.headers['accept-language']), nonce);
    let [status, html] = [404, page.message('gone')];
    try {
      const share = await this.shares.findOpen(token);
      if (share) [status, html] = await render(share, page);
    } catch (error) {
      if (error instanceof RateLimited) {
        [status, html] = [429, page.message('busy')];
        response.setHeader('Retry-After', error.retryAfterSeconds);
      } else if (!(error instanceof NotFound)) throw error;
    }
    setHeaders(response, nonce);
    response.status(status).end(html);
  }

  #count(tracker: string, limit: number, response: Response): Promise<void> {
    return countRequest(this.storage, tracker, limit, () => this.clock.now(), response);
  }
}

const periodOf = (sent: unknown): SharedPeriod => sharedPeriods.find((period) => String(period) === sent) ?? 30;

/** Sets headers of a page that loads nothing, runs no script, and tells nobody its address. */
function setHeaders(response: Response, nonce: string): void {
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()');
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Vary', 'Accept-Language, Cookie');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
}
