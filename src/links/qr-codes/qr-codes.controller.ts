import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DynamicLinksService } from '../dynamic-links/dynamic-links.service';
import { namesTag, tagOf } from '../../shared/entity-tag';
import { QrCodeOperation } from '../../api-kit/openapi/operation';
import { PathProject } from '../projects/path-project.decorator';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import { qrCodeUrl } from '../../link-paths/paths/reserved-parameters';
import type { Project } from '../projects/project';
import { ShortLinksService } from '../short-links/short-links.service';
import { QrCodeQuery } from './qr-codes.dto';
import { imageTypes, qrImage } from './qr-image';
import { QrLogos } from './qr-logos';

@ApiTags('QR codes')
@Controller('api/v1/projects/:projectId')
export class QrCodesController {
  constructor(
    private readonly dynamicLinks: DynamicLinksService,
    private readonly shortLinks: ShortLinksService,
    private readonly hosts: LinkHosts,
    private readonly logos: QrLogos,
  ) {}

  @Get('links/:linkId/qr-code')
  @QrCodeOperation('getDynamicLinkQrCode', 'Get the QR code of a dynamic link')
  async ofDynamicLink(
    @PathProject() project: Project,
    @Query() query: QrCodeQuery,
    @Param('linkId', ResourceId) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.dynamicLinks.get(project, id);
    const url = this.hosts.urlOf(project, link.customPath);
    await this.#send(request, response, project, qrCodeUrl(url), query);
  }

  @Get('short-links/:shortLinkId/qr-code')
  @QrCodeOperation('getShortLinkQrCode', 'Get the QR code of a short link')
  async ofShortLink(
    @PathProject() project: Project,
    @Query() query: QrCodeQuery,
    @Param('shortLinkId', ResourceId) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.shortLinks.get(project, id);
    const url = this.hosts.urlOf(project, link.slug);
    await this.#send(request, response, project, qrCodeUrl(url), query);
  }

  async #send(request: Request, response: Response, project: Project, url: string, query: QrCodeQuery): Promise<void> {
    const { format, logo } = query;
    const style = QrCodeQuery.styleOf(query);
    // The image depends on these values alone, so a 304 needs no drawing.
    const tag = tagOf(JSON.stringify([url, style, format, logo]));
    const isKnown = namesTag(request.headers['if-none-match'], tag);
    // An error has another type, so the image is drawn before the headers are set.
    const image = isKnown
      ? null
      : await qrImage(url, style, format, logo === undefined ? null : await this.logos.get(project.id, logo));
    response.set({
      ETag: tag,
      'Cache-Control': 'private, no-cache',
      'Content-Security-Policy': "default-src 'none'; img-src data:",
    });
    response.type(imageTypes[format]);
    if (image === null) response.status(304).end();
    else response.send(image);
  }
}
