import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../projects/path-project.decorator';
import type { Project } from '../projects/project';
import { CreateTagBody, ListTagsQuery, MergeTagBody, TagDto, TagPage, TagResponse, UpdateTagBody } from './tags.dto';
import { TagsService } from './tags.service';

@ApiTags('Tags')
@Controller('api/v1/projects/:projectId/tags')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Get()
  @Operation({ summary: 'List tags', success: TagPage })
  async list(@PathProject() project: Project, @Query() query: ListTagsQuery) {
    return page(await this.tags.list(project, query), query, TagDto.of);
  }

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Create a tag',
    description: 'A dynamic link creates the tags that it names, so this is for tags without links.',
    success: { status: 201, type: TagResponse },
    errors: ['TAG_EXISTS'],
  })
  async create(@PathProject() project: Project, @Body() body: CreateTagBody) {
    return { data: TagDto.of(await this.tags.create(project, body.name)) };
  }

  @Get(':tagId')
  @Operation({ summary: 'Get a tag', success: { type: TagResponse, tagged: true } })
  async get(@PathProject() project: Project, @Param('tagId', ResourceId) id: string) {
    return { data: TagDto.of(await this.tags.get(project, id)) };
  }

  @Put(':tagId')
  @Operation({
    summary: 'Rename a tag',
    description: 'All dynamic links that have the tag show the new name at once.',
    success: TagResponse,
    errors: ['TAG_EXISTS'],
  })
  async update(
    @PathProject() project: Project,
    @Body() body: UpdateTagBody,
    @Param('tagId', ResourceId) id: string,
    @IfMatch() ifMatch?: string,
  ) {
    return { data: TagDto.of(await this.tags.rename(project, id, body.name, unchangedSince(ifMatch, TagDto.of))) };
  }

  @Post(':tagId/merge')
  @Operation({
    id: 'mergeTag',
    summary: 'Merge a tag into another one',
    description: 'All dynamic links that have the tag have the other one in its place at once, and the tag is removed.',
    success: TagResponse,
    errors: ['FORBIDDEN_CROSS_SCOPE'],
  })
  async merge(@PathProject() project: Project, @Body() body: MergeTagBody, @Param('tagId', ResourceId) id: string) {
    return { data: TagDto.of(await this.tags.merge(project, id, body.into)) };
  }

  @Delete(':tagId')
  @Operation({
    summary: 'Delete a tag',
    description: 'No dynamic link has the tag any longer.',
    success: MessageResponse,
  })
  async delete(@PathProject() project: Project, @Param('tagId', ResourceId) id: string, @IfMatch() ifMatch?: string) {
    await this.tags.delete(project, id, unchangedSince(ifMatch, TagDto.of));
    return message('Tag deleted');
  }
}
