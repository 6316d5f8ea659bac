import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { PageQuery } from '../../api-kit/kit/list-query';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import type { Caller } from '../accounts/caller';
import { TheCaller } from '../accounts/the-caller.decorator';
import { Idempotent } from '../idempotency/idempotent.decorator';
import {
  CreateWebhookBody,
  RevealedWebhookDto,
  RevealedWebhookResponse,
  toWebhookChanges,
  toWebhookValues,
  UpdateWebhookBody,
  WebhookDto,
  WebhookPage,
  WebhookResponse,
  WebhookTestDto,
  WebhookTestResponse,
} from './webhooks.dto';
import { WebhooksService } from './webhooks.service';

@ApiTags('Webhooks')
@Controller('api/v1/account/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Operation({ summary: 'List webhooks', description: 'Newest webhooks come first.', success: WebhookPage })
  async list(@TheCaller() caller: Caller, @Query() query: PageQuery) {
    return page(await this.webhooks.list(caller.accountId, query), query, WebhookDto.render);
  }

  @Post()
  @Idempotent({ secret: 'secret' })
  @Operation({
    summary: 'Create a webhook',
    description:
      'The endpoint gets all matching events from now on, at least once each, and those of one resource in order. The response contains ' +
      'the secret, which is shown only once.',
    success: { status: 201, type: RevealedWebhookResponse },
    errors: ['QUOTA', 'NOT_FOUND', 'FORBIDDEN_CROSS_SCOPE'],
  })
  async create(@TheCaller() caller: Caller, @Body() body: CreateWebhookBody) {
    return { data: RevealedWebhookDto.ofRevealed(await this.webhooks.create(caller, toWebhookValues(body))) };
  }

  @Get(':webhookId')
  @Operation({ summary: 'Get a webhook', success: { type: WebhookResponse, tagged: true } })
  async get(@TheCaller() caller: Caller, @Param('webhookId', ResourceId) id: string) {
    return { data: WebhookDto.render(await this.webhooks.get(caller.accountId, id)) };
  }

  @Put(':webhookId')
  @Operation({
    summary: 'Update a webhook',
    description:
      'Only the fields present in the body change. An endpoint that is enabled again gets all events since the last one that it got.',
    success: WebhookResponse,
    errors: ['NOT_FOUND', 'FORBIDDEN_CROSS_SCOPE'],
  })
  async update(
    @TheCaller() caller: Caller,
    @Param('webhookId', ResourceId) id: string,
    @Body() body: UpdateWebhookBody,
    @IfMatch() ifMatch?: string,
  ) {
    const precondition = unchangedSince(ifMatch, WebhookDto.render);
    const webhook = await this.webhooks.update(caller.accountId, id, toWebhookChanges(body), precondition);
    return { data: WebhookDto.render(webhook) };
  }

  @Delete(':webhookId')
  @Operation({ summary: 'Delete a webhook', description: 'Pending events are not sent.', success: MessageResponse })
  async delete(@TheCaller() caller: Caller, @Param('webhookId', ResourceId) id: string, @IfMatch() ifMatch?: string) {
    await this.webhooks.delete(caller.accountId, id, unchangedSince(ifMatch, WebhookDto.render));
    return message('Webhook deleted');
  }

  @Post(':webhookId/rotate-secret')
  @Idempotent({ secret: 'secret' })
  @Operation({
    id: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    description: 'Creates another secret. For a day, events have signatures by both. The operation takes no body.',
    success: { status: 201, type: RevealedWebhookResponse },
  })
  async rotate(@TheCaller() caller: Caller, @Param('webhookId', ResourceId) id: string) {
    return { data: RevealedWebhookDto.ofRevealed(await this.webhooks.rotate(caller.accountId, id)) };
  }

  // No Idempotency-Key, because a client that repeats the request wants another attempt.
  @Post(':webhookId/test')
  @Operation({
    id: 'testWebhook',
    summary: 'Send a test event',
    description:
      'Sends an event of the type `webhook.test` now, also to a disabled endpoint, and returns its answer. It counts as a probe of a ' +
      'host. The operation takes no body.',
    success: WebhookTestResponse,
  })
  async test(@TheCaller() caller: Caller, @Param('webhookId', ResourceId) id: string) {
    return { data: WebhookTestDto.of(await this.webhooks.test(caller.accountId, id)) };
  }
}
