import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  choiceAnswer,
  countAnswer,
  flagAnswer,
  idAnswer,
  momentAnswer,
  nullableIdAnswer,
  nullableIntegerAnswer,
  nullableMomentAnswer,
  nullableTextAnswer,
  textAnswer,
  timeAnswers,
} from '../../api-kit/kit/answer';
import { IsMoment, IsQueryChoice } from '../../api-kit/kit/field.decorators';
import { answersOf, bodyReader, CreatesFields, UpdatesFields } from '../../api-kit/kit/field-table.decorators';
import { PageQuery } from '../../api-kit/kit/list-query';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { type CreateBody, shapeOf, type UpdateBody } from '../../shared/field-table';
import { type AttemptResult, deliveryStates } from './delivery';
import type { DeliveryRecord } from './pg-webhook-deliveries';
import type { WebhookChanges, WebhookValues } from './webhook';
import { eventIdOf } from './webhook-event';
import { CloudEventDto } from './webhook-event.dto';
import { type WebhookFields, webhookFields } from './webhook-fields';
import type { RevealedWebhook } from './webhooks.service';

@CreatesFields(webhookFields)
export class CreateWebhookBody extends shapeOf<CreateBody<WebhookFields>>() {}

@UpdatesFields(webhookFields)
export class UpdateWebhookBody extends shapeOf<UpdateBody<WebhookFields>>() {}

export const toWebhookValues: (body: CreateWebhookBody) => WebhookValues = bodyReader(webhookFields);
export const toWebhookChanges: (body: UpdateWebhookBody) => WebhookChanges = bodyReader(webhookFields);

@ApiSchema({ name: 'Webhook' })
export class WebhookDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-00000000000a'),
  ...answersOf(webhookFields),
  failing_since: nullableMomentAnswer(
    'Time of the first failed attempt since the last success. Null if the last attempt succeeded.',
    '2026-06-02T14:05:00.000Z',
  ),
  disabled_at: nullableMomentAnswer(
    'When the service disabled the endpoint, after five days without a success. Null if it did not.',
    '2026-06-07T14:05:00.000Z',
  ),
  ...timeAnswers,
}) {}

@ApiSchema({ name: 'RevealedWebhook' })
export class RevealedWebhookDto extends answer(
  {
    secret: nullableTextAnswer(
      'Secret that signs events (Standard Webhooks 1.0). Only this response contains it. Null in a response that is repeated for the ' +
        'same `Idempotency-Key`.',
      'whsec_…',
    ),
  },
  WebhookDto,
) {
  static ofRevealed(this: void, webhook: RevealedWebhook): RevealedWebhookDto {
    return { ...WebhookDto.render(webhook), secret: webhook.secret };
  }
}

const attempt = {
  status: nullableIntegerAnswer('Status of the answer. Null without an answer.', 503),
  failure: nullableTextAnswer(
    'Why the attempt failed: `error_answer`, `timeout`, `unreachable`, `certificate`, `no_answer`, `not_resolved`, `private_address`, ' +
      '`secret_unreadable` or `expired`. Null for a success.',
    'error_answer',
  ),
  answer: nullableTextAnswer('The first 1,000 bytes of the body of the answer.', 'maintenance'),
  duration_ms: { type: 'integer', minimum: 0, nullable: true, description: 'Time of the attempt.', example: 132 },
} as const;

@ApiSchema({ name: 'WebhookTest' })
export class WebhookTestDto extends answer({
  delivered: flagAnswer('Whether the endpoint answered with a status from 200 to 299.', false),
  ...attempt,
}) {
  static of({ isDelivered, status, failure, answer, durationMs }: AttemptResult): WebhookTestDto {
    return { delivered: isDelivered, status, failure, answer, duration_ms: durationMs };
  }
}

const deliveryAnswers = {
  id: idAnswer('0198c0de-7e57-7000-8000-00000000000b'),
  event_id: textAnswer('Id of the event.', '4712'),
  webhook_message_id: textAnswer(
    'Value of the header `webhook-id`, by which receivers recognise repetitions.',
    '0198c0de-7e57-7000-8000-00000000000a_4712',
  ),
  type: textAnswer('Type of the event.', 'link.updated'),
  resource_id: nullableIdAnswer('The resource. Null for a batch.', '0198c0de-7e57-7000-8000-000000000002'),
  state: choiceAnswer(
    deliveryStates,
    '`waiting` for another attempt, or behind an earlier event of its resource; `failed` after three days of attempts.',
    'waiting',
  ),
  attempts: countAnswer('Attempts so far.', 2),
  last_attempt_at: nullableMomentAnswer('Time of the last attempt.', '2026-06-02T14:05:00.000Z'),
  next_attempt_at: nullableMomentAnswer('Time of the next attempt.', '2026-06-02T14:10:00.000Z'),
  ...attempt,
  created_at: momentAnswer('Time at which the event was first due.', '2026-06-02T14:05:00.000Z'),
} as const;

@ApiSchema({ name: 'WebhookDelivery' })
export class WebhookDeliveryDto extends answer(deliveryAnswers) {
  static of(webhookId: string, record: DeliveryRecord): WebhookDeliveryDto {
    const event_id = eventIdOf(record);
    return WebhookDeliveryDto.render(record, { event_id, webhook_message_id: `${webhookId}_${event_id}` });
  }
}

@ApiSchema({ name: 'WebhookDeliveryWithEvent' })
export class DeliveryWithEventDto extends answer(
  {
    event: {
      type: CloudEventDto,
      nullable: true,
      description: 'Body of the request. Null if the journal no longer has it.',
    },
  },
  WebhookDeliveryDto,
) {}

export class DeliveriesQuery extends PageQuery {
  @IsQueryChoice(deliveryStates, { description: 'Only deliveries in this state.', optional: true })
  state?: (typeof deliveryStates)[number];
}

export class ReplayBody {
  @IsMoment({ description: 'Sends all events again that happened from then on.', example: '2026-06-01T00:00:00Z' })
  since: number;
}

export class WebhookResponse extends dataOf(WebhookDto) {}
export class RevealedWebhookResponse extends dataOf(RevealedWebhookDto) {}
export class WebhookPage extends pageOf(WebhookDto) {}
export class WebhookTestResponse extends dataOf(WebhookTestDto) {}
export class WebhookDeliveryPage extends pageOf(WebhookDeliveryDto) {}
export class WebhookDeliveryResponse extends dataOf(WebhookDeliveryDto) {}
export class DeliveryWithEventResponse extends dataOf(DeliveryWithEventDto) {}
