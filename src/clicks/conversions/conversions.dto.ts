import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { answer, countAnswer } from '../../api-kit/kit/answer';
import { errorAnswer } from '../../api-kit/kit/error-answer';
import { nestedList, oneByOne, readNested } from '../../api-kit/kit/nested-body';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { ErrorDetail } from '../../api-kit/openapi/error-response';
import { dateTime } from '../../shared/date-time';
import { DomainError } from '../../shared/domain-error';
import { InvalidInput } from '../../shared/problem';
import { text } from '../../shared/text';
import {
  amount,
  conversionKey,
  currency,
  eventName,
  maxConversions,
  maxUntrusted,
  type ConversionOutcome,
  conversionOutcomes,
  saleKeyOf,
  type SentConversion,
} from './conversion';

const IsClickId = ruleDecorator(text({ min: 1, max: 100 }));
const IsEventName = ruleDecorator(eventName);
const IsAmount = ruleDecorator(amount);
const IsCurrency = ruleDecorator(currency);
const IsConversionKey = ruleDecorator(conversionKey);
const IsDateTime = ruleDecorator(dateTime);

@ApiSchema({ name: 'Conversion' })
class ConversionDto {
  @IsClickId(
    optionally(
      'The click id that the destination or the app got. Required, but not for a refund, which counts where its sale does.',
      'q83vEjRWeJC_y8oGbtN1Xg',
    ),
  )
  click_id?: string;

  @IsEventName({ description: 'Name of the event. A refund counts for the event of its sale.', example: 'purchase' })
  event: string;

  @IsAmount(
    optionally(
      'Value as a decimal in a text, with `currency`. A negative value is a refund, whose `key` is that of the sale, a colon and a name: ' +
        '`order-1:refund`. Default: the conversion has no value.',
      '19.90',
    ),
  )
  value?: string;

  @IsCurrency(optionally('Currency of the value (ISO 4217).', 'EUR'))
  currency?: string;

  @IsConversionKey({
    description:
      'Your id of the conversion, unique in the project. A conversion with a known key does not count again.',
    example: 'order-1',
  })
  key: string;

  @IsDateTime(
    optionally(
      'When it happened: from the day of the click on, and at most five minutes in the future. Default: now.',
      '2026-06-01T12:30:45Z',
    ),
  )
  occurred_at?: Date;
}

const IsConversions = ruleDecorator(nestedList(maxConversions));

@ApiExtraModels(ConversionDto)
export class SendConversionsBody {
  @ApiProperty({ type: 'array', items: { $ref: getSchemaPath(ConversionDto) } })
  @IsConversions({
    description: 'Conversions. One that is refused does not stop the others.',
    example: [
      {
        click_id: 'q83vEjRWeJC_y8oGbtN1Xg',
        event: 'purchase',
        value: '19.90',
        currency: 'EUR',
        key: 'order-1',
        occurred_at: '2026-06-01T12:30:45Z',
      },
    ],
  })
  items: unknown[];
}

export const readConversions = (sent: unknown[]): Promise<SentConversion[]> => oneByOne(sent, readConversion);

async function readConversion(sent: unknown): Promise<SentConversion> {
  try {
    const body = await readNested('conversion', sent, ConversionDto);
    const {
      click_id: clickId = null,
      event,
      value = null,
      currency = null,
      key,
      occurred_at: occurredAt = null,
    } = body;
    if ((value === null) !== (currency === null))
      throw required(value === null ? 'value' : 'currency', 'is required, because value and currency belong together');
    const isRefund = value?.startsWith('-') ?? false;
    const saleKey = isRefund ? saleKeyOf(key) : null;
    if (isRefund && saleKey === null)
      throw InvalidInput.asAWhole('invalid_format', 'key of a refund must be that of its sale, a colon and a name', [
        'key',
      ]);
    if (!isRefund && clickId === null) throw required('click_id', 'is required');
    return { clickId: isRefund ? null : clickId, event, value, currency, key, saleKey, occurredAt };
  } catch (error) {
    if (error instanceof DomainError) return { error };
    throw error;
  }
}

const required = (name: string, says: string) => InvalidInput.asAWhole('required', `${name} ${says}`, [name]);

@ApiSchema({ name: 'ConversionResult' })
class ConversionResultDto extends answer({
  outcome: {
    enum: conversionOutcomes,
    description:
      '`counted`. `repeated`: the key is known, so nothing changed. `unknown_click_id`: no visit, claim or open of the project has the id, or ' +
      'it is not stored yet. `expired_click_id`: it happened after the window of the project. `unknown_sale`: no conversion has the key before ' +
      'the colon. `other_currency`: the sale has another one. `invalid_time`: `occurred_at` is before the click or in the future. `too_many`: ' +
      `publishable keys have sent ${maxUntrusted} for the click id. \`invalid\`: see \`error\`. Only \`counted\` keeps the key.`,
    example: 'counted',
  },
  error: { type: ErrorDetail, nullable: true, description: 'Error of an invalid conversion.', example: null },
}) {}

@ApiSchema({ name: 'ConversionResults' })
export class ConversionResultsDto extends answer({
  counted: countAnswer('Conversions that count since this request.', 2),
  repeated: countAnswer('Conversions whose key was known.', 0),
  refused: countAnswer('All others.', 0),
  results: { type: [ConversionResultDto], description: 'Result of each conversion, in their order.' },
}) {
  static of(sent: SentConversion[], outcomes: ConversionOutcome[]): ConversionResultsDto {
    const count = (outcome: ConversionOutcome) => outcomes.filter((one) => one === outcome).length;
    const [counted, repeated] = [count('counted'), count('repeated')];
    const results = sent.map((one, at) => ({
      outcome: outcomes[at]!,
      error: 'error' in one ? errorAnswer(one.error, 'POST').body.error : null,
    }));
    return { counted, repeated, refused: sent.length - counted - repeated, results };
  }
}

export class ConversionsResponse extends dataOf(ConversionResultsDto) {}
