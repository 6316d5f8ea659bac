import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import type { Caller } from '../accounts/caller';
import { TheCaller } from '../accounts/the-caller.decorator';
import { cloudEventOf } from './webhook-event';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import {
  DeliveriesQuery,
  DeliveryWithEventResponse,
  ReplayBody,
  WebhookDeliveryDto,
  WebhookDeliveryPage,
  WebhookDeliveryResponse,
} from './webhooks.dto';

@ApiTags('Webhooks')
@Controller('api/v1/account/webhooks/:webhookId')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get('deliveries')
  @Operation({
    id: 'listWebhookDeliveries',
    summary: 'List deliveries of a webhook',
    description:
      'Returns the last attempt at each event, newest first. Finished deliveries are kept for 7 days, and at most 10,000 of an endpoint.',
    success: WebhookDeliveryPage,
  })
  async list(
    @TheCaller() { accountId }: Caller,
    @Param('webhookId', ResourceId) id: string,
    @Query() query: DeliveriesQuery,
  ) {
    const found = await this.deliveries.list(accountId, id, { ...query, state: query.state ?? null });
    return page(found, query, (record) => WebhookDeliveryDto.of(id, record));
  }

  @Get('deliveries/:deliveryId')
  @Operation({
    id: 'getWebhookDelivery',
    summary: 'Get a delivery of a webhook',
    description: 'Returns the last attempt with the body of its request.',
    success: { type: DeliveryWithEventResponse, tagged: true },
  })
  async get(
    @TheCaller() { accountId }: Caller,
    @Param('webhookId', ResourceId) id: string,
    @Param('deliveryId', ResourceId) deliveryId: string,
  ) {
    const { record, event } = await this.deliveries.get(accountId, id, deliveryId);
    return { data: { ...WebhookDeliveryDto.of(id, record), event: event && cloudEventOf(event, accountId) } };
  }

  // No Idempotency-Key: a repetition does no harm, because receivers recognise repeated events.
  @Post('deliveries/:deliveryId/redeliver')
  @Operation({
    id: 'redeliverWebhookDelivery',
    summary: 'Send an event again',
    description: 'The event has the same `webhook-id`. The operation takes no body.',
    success: WebhookDeliveryResponse,
  })
  async redeliver(
    @TheCaller() { accountId }: Caller,
    @Param('webhookId', ResourceId) id: string,
    @Param('deliveryId', ResourceId) deliveryId: string,
  ) {
    return { data: WebhookDeliveryDto.of(id, await this.deliveries.sendAgain(accountId, id, deliveryId)) };
  }

  @Post('replay')
  @Operation({
    id: 'replayWebhook',
    summary: 'Send all events since a time again',
    description:
      'Events have the same `webhook-id`, so receivers recognise those that they got. Events of months that the journal has dropped are ' +
      'not sent.',
    success: MessageResponse,
  })
  async replay(
    @TheCaller() { accountId }: Caller,
    @Param('webhookId', ResourceId) id: string,
    @Body() { since }: ReplayBody,
  ) {
    await this.deliveries.sendAllAgain(accountId, id, since);
    return message('The events will be sent again');
  }
}
