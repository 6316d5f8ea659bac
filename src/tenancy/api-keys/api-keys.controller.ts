import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../accounts/caller';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { PageQuery } from '../../api-kit/kit/list-query';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { TheCaller } from '../accounts/the-caller.decorator';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { Idempotent } from '../idempotency/idempotent.decorator';
import {
  ApiKeyDto,
  ApiKeyPage,
  ApiKeyResponse,
  CreateApiKeyBody,
  CreatedApiKeyDto,
  CreatedApiKeyResponse,
  RotateApiKeyBody,
  toApiKeyChanges,
  toApiKeyValues,
  UpdateApiKeyBody,
} from './api-keys.dto';
import { ApiKeysService } from './api-keys.service';

@ApiTags('API keys')
@Controller('api/v1/account/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @Operation({
    summary: 'List API keys',
    description: 'Newest keys come first. Expired keys are listed until they are revoked. Revoked keys are not listed.',
    success: ApiKeyPage,
  })
  async list(@TheCaller() caller: Caller, @Query() query: PageQuery) {
    return page(await this.keys.listLive(caller.accountId, query), query, ApiKeyDto.render);
  }

  @Post()
  @Idempotent({ secret: 'key' })
  @Operation({
    summary: 'Create an API key',
    description:
      'The response contains the key itself, which is shown only once. The key acts for the user who creates it. ' +
      'If the request is repeated with the same `Idempotency-Key`, `key` is null in the response. ' +
      'If the first response was lost, revoke the key and create another.',
    success: { status: 201, type: CreatedApiKeyResponse },
    errors: ['QUOTA', 'NOT_FOUND', 'FORBIDDEN_CROSS_SCOPE'],
  })
  async create(@TheCaller() caller: Caller, @Body() body: CreateApiKeyBody) {
    const key = await this.keys.createFor(caller, toApiKeyValues(body), body.expires_at ?? null, body.publishable);
    return { data: CreatedApiKeyDto.ofCreated(key) };
  }

  @Post(':apiKeyId/rotate')
  @Idempotent({ secret: 'key' })
  @Operation({
    id: 'rotateApiKey',
    summary: 'Rotate an API key',
    description:
      'Creates a successor with the same name, limits and life time, which acts for the user who rotates. The old key ends after the ' +
      'overlap, or at its expiry if that is earlier. The response contains the new key, as that of a creation.',
    success: { status: 201, type: CreatedApiKeyResponse },
    errors: ['QUOTA'],
  })
  async rotate(@TheCaller() caller: Caller, @Param('apiKeyId', ResourceId) id: string, @Body() body: RotateApiKeyBody) {
    return { data: CreatedApiKeyDto.ofCreated(await this.keys.rotate(caller, id, body.overlap_hours ?? 24)) };
  }

  @Get(':apiKeyId')
  @Operation({
    summary: 'Get an API key',
    description: 'The `ETag` changes also with the last use of the key, at most once per minute.',
    success: { type: ApiKeyResponse, tagged: true },
  })
  async get(@TheCaller() caller: Caller, @Param('apiKeyId', ResourceId) id: string) {
    return { data: ApiKeyDto.render(await this.keys.getLive(caller.accountId, id)) };
  }

  @Put(':apiKeyId')
  @Operation({
    summary: 'Update an API key',
    description:
      'Only the fields present in the body change; null removes a limit. Every replica applies them within one second.',
    success: ApiKeyResponse,
    errors: ['NOT_FOUND', 'FORBIDDEN_CROSS_SCOPE'],
  })
  async update(
    @TheCaller() caller: Caller,
    @Param('apiKeyId', ResourceId) id: string,
    @Body() body: UpdateApiKeyBody,
    @IfMatch() ifMatch?: string,
  ) {
    const precondition = unchangedSince(ifMatch, ApiKeyDto.render);
    const key = await this.keys.updateLive(caller.accountId, id, toApiKeyChanges(body), precondition);
    return { data: ApiKeyDto.render(key) };
  }

  @Delete(':apiKeyId')
  @Operation({
    summary: 'Revoke an API key',
    description: 'Every replica refuses the key within one second, permanently. Later requests for the key return 404.',
    success: MessageResponse,
  })
  async delete(@TheCaller() caller: Caller, @Param('apiKeyId', ResourceId) id: string, @IfMatch() ifMatch?: string) {
    await this.keys.revokeLive(caller.accountId, id, unchangedSince(ifMatch, ApiKeyDto.render));
    return message('API key revoked');
  }
}
