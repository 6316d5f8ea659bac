import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { NotFound } from '../../shared/domain-error';
import { Locations } from '../kit/locations';
import { AllowUnknownQuery } from '../kit/route-markers';
import { ApiDocsFiles, ApiDocsSettings, type LoadedDocs } from './api-docs-files';
import type { StaticFile } from './static-file';
import { ApiDescription } from './api-description';

@ApiExcludeController()
@Controller('api/v1/openapi.json')
export class OpenApiController {
  constructor(private readonly description: ApiDescription) {}

  @Get()
  get(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.description.file.send(request, response);
  }
}

/** Serves Swagger UI at `/api/docs`. The guards count its requests by address. */
@ApiExcludeController()
@AllowUnknownQuery()
@Controller('api/docs')
export class ApiDocsController {
  constructor(
    private readonly files: ApiDocsFiles,
    private readonly settings: ApiDocsSettings,
    private readonly locations: Locations,
  ) {}

  @Get()
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.#send(request, response, ({ page }) => page);
  }

  @Get(':file')
  async file(@Param('file') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.#send(request, response, ({ files }) => files.get(name));
  }

  async #send(
    request: Request,
    response: Response,
    find: (loaded: LoadedDocs) => StaticFile | undefined,
  ): Promise<void> {
    const file = this.settings.enabled ? find(await this.files.load()) : undefined;
    if (!file) throw new NotFound('Route');
    // Swagger UI styles its elements in place. Its requests go to the API's origin, which may differ from the page's.
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
        `connect-src 'self' ${new URL(this.locations.base).origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    response.setHeader('X-Frame-Options', 'DENY');
    response.setHeader('Referrer-Policy', 'no-referrer');
    await file.send(request, response);
  }
}
