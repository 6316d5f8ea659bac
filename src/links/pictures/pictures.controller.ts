import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Operation } from '../../api-kit/openapi/operation';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import { PathProject } from '../projects/path-project.decorator';
import type { Project } from '../projects/project';
import { pictureUrl, type StoredPicture } from './picture';
import { BodyPicture } from './picture-body.decorator';
import { pictureTypes } from './picture-header';
import { PagePreviewsService } from './page-previews.service';
import { CreatePictureFromPageBody, PagePreviewResponse, type PictureDto, PictureResponse } from './pictures.dto';
import { PicturesService } from './pictures.service';

@ApiTags('Pictures')
@Controller('api/v1/projects/:projectId/pictures')
export class PicturesController {
  constructor(
    private readonly pictures: PicturesService,
    private readonly previews: PagePreviewsService,
    private readonly hosts: LinkHosts,
  ) {}

  @Post()
  @ApiConsumes(...pictureTypes)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Operation({
    summary: 'Upload a social picture',
    description:
      'Stores a PNG, JPEG or WebP of up to 5 MB and 16,000,000 pixels as a JPEG of at most 1200 × 1200 pixels, without metadata. ' +
      'Transparent pixels become white. Send the `url` as `social_image_url` of links, or the `id` as `logo` of QR codes. The same picture has the same address, so a ' +
      'repeated request stores nothing. A picture that no link has is removed after 30 days.',
    success: { status: 201, type: PictureResponse },
    errors: ['QUOTA'],
  })
  async create(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @BodyPicture() read: () => Promise<Buffer>,
    @Res({ passthrough: true }) response: Response,
  ) {
    const data = this.#render(project, await this.pictures.upload(project, caller.plan, read));
    response.setHeader('Location', data.url);
    return { data };
  }

  @Post('from-page')
  @Operation({
    id: 'createPictureFromPage',
    summary: 'Take title and picture of a web page',
    description:
      'Reads the page as social networks do, and stores its picture like an upload. Hosts with private addresses are not visited, as by ' +
      'probes of association files, and both share the limit `PROBES_PER_MINUTE`. Nothing of a link is changed.',
    success: PagePreviewResponse,
    errors: ['QUOTA'],
  })
  async createFromPage(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: CreatePictureFromPageBody,
  ) {
    const { picture, ...preview } = await this.previews.preview(project, caller.plan, new URL(body.url));
    return { data: { ...preview, picture: picture && this.#render(project, picture) } };
  }

  #render(project: Project, { digest, ...picture }: StoredPicture): PictureDto {
    return { id: digest, url: pictureUrl(this.hosts, project, digest), ...picture };
  }
}
