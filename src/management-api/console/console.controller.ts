import { randomBytes } from 'node:crypto';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { NotFound } from '../../shared/domain-error';
import { AllowUnknownQuery, SkipRateLimit } from '../../api-kit/kit/route-markers';
import type { StaticFile } from '../../api-kit/openapi/static-file';
import { ConsoleFiles } from './console-files';
import { fillPage, policyOf } from './console-page';
import { ConsoleSettings } from './console-settings';

/** Serves the web console. Its files lie in memory and a page loads several, so they do not count for the rate limit. */
@ApiExcludeController()
@SkipRateLimit()
@AllowUnknownQuery()
@Controller('console')
export class ConsoleController {
  constructor(
    private readonly files: ConsoleFiles,
    private readonly settings: ConsoleSettings,
  ) {}

  @Get('assets/:file')
  async asset(@Param('file') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.#sendFile((await this.files.load()).assets.get(name), request, response);
  }

  @Get('third-party-licences.txt')
  async licences(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.#sendFile((await this.files.load()).licences, request, response);
  }

  /** Serves the page of the frame in which the provider ends a silent renewal. */
  @Get('silent-renew.html')
  async silentRenew(@Res() response: Response): Promise<void> {
    await this.#send('silent-renew.html', response);
  }

  @Get()
  async start(@Res() response: Response): Promise<void> {
    await this.#send('index.html', response);
  }

  /** Answers the same page on all paths, because the page itself routes them. */
  @Get('{*path}')
  async page(@Res() response: Response): Promise<void> {
    await this.#send('index.html', response);
  }

  async #sendFile(file: StaticFile | undefined, request: Request, response: Response): Promise<void> {
    if (!file || !this.settings.enabled) throw new NotFound('Route');
    await file.send(request, response);
  }

  async #send(name: string, response: Response): Promise<void> {
    const html = this.settings.enabled ? (await this.files.load()).pages.get(name) : undefined;
    if (html === undefined) throw new NotFound('Route');
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('Content-Security-Policy', policyOf(this.settings, nonce));
    response.setHeader('X-Frame-Options', 'SAMEORIGIN');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()');
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(fillPage(html, this.settings, nonce));
  }
}

/** Redirects browsers from `/` to the console. Programs get 404, because the API has no resource there. */
@ApiExcludeController()
@AllowUnknownQuery()
@Controller()
export class StartPageController {
  constructor(private readonly settings: ConsoleSettings) {}

  @Get()
  redirect(@Req() request: Request, @Res() response: Response): void {
    const isBrowser = request.headers.accept?.includes('text/html') ?? false;
    if (!this.settings.enabled || !isBrowser) throw new NotFound('Route');
    response.setHeader('Vary', 'Accept');
    response.redirect(302, '/console/');
  }
}
