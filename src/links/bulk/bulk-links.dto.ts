import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { answer, idAnswer, momentAnswer } from '../../api-kit/kit/answer';
import { errorAnswer } from '../../api-kit/kit/error-answer';
import { IsJsonBoolean } from '../../api-kit/kit/field.decorators';
import { maxNestedProblems, nestedList, oneByOne, readNested } from '../../api-kit/kit/nested-body';
import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { ErrorDetail } from '../../api-kit/openapi/error-response';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { dateTime } from '../../shared/date-time';
import { DomainError } from '../../shared/domain-error';
import { uuid } from '../../shared/id';
import { ForbiddenField, inField, InvalidInput } from '../../shared/problem';
import { oneOf, type Rule } from '../../shared/rule';
import type { DynamicLink } from '../dynamic-links/dynamic-link';
import { DynamicLinkDto } from '../dynamic-links/dynamic-link.dto';
import { CreateDynamicLinkBody, toChanges, UpdateDynamicLinkBody } from '../dynamic-links/dynamic-link-bodies.dto';
import { requireFewPasswords, withPasswordHash } from '../dynamic-links/link-password';
import { bulkKinds, type BulkOperation, type BulkResult, maxBulkOperations } from './bulk-operation';
import { isObject } from '../../shared/is-object';

const exampleId = '0198c0de-7e57-7000-8000-000000000002';

class BulkCreate extends answer({
  op: { enum: ['create'], example: 'create' },
  link: { type: CreateDynamicLinkBody, description: 'The body of a creation.' },
}) {}

class BulkUpdate extends answer({
  op: { enum: ['update'], example: 'update' },
  id: idAnswer(exampleId),
  link: { type: UpdateDynamicLinkBody, description: 'The body of an update.' },
  updated_at: {
    ...momentAnswer(
      '`updated_at` of the link when it was read. The operation is 412 if the link has changed since then.',
      '2026-06-01T09:30:00.000Z',
    ),
    required: false,
  },
}) {}

class BulkDelete extends answer({
  op: { enum: ['delete'], example: 'delete' },
  id: idAnswer(exampleId),
}) {}

const IsBulkOperations = ruleDecorator(nestedList(maxBulkOperations));

@ApiExtraModels(BulkCreate, BulkUpdate, BulkDelete)
export class BulkLinksBody {
  @ApiProperty({
    type: 'array',
    items: { oneOf: [BulkCreate, BulkUpdate, BulkDelete].map((type) => ({ $ref: getSchemaPath(type) })) },
  })
  @IsBulkOperations({
    description: 'Operations, which run in this order. An invalid one fails alone.',
    example: [
      { op: 'create', link: { name: 'Summer sale', desktop_url: 'https://shop.example.com/sale' } },
      { op: 'update', id: exampleId, link: { archived: true } },
    ],
  })
  operations: unknown[];

  @IsJsonBoolean({
    description: 'Whether one operation that fails undoes all others.',
    example: false,
    shownDefault: false,
    optional: true,
  })
  atomic?: boolean;
}

const kind = oneOf(bulkKinds);
const fieldsOfKind = { create: ['op', 'link'], update: ['op', 'id', 'link', 'updated_at'], delete: ['op', 'id'] };

/** @throws InvalidInput if they set too many passwords */
export async function readOperations(sent: unknown[]): Promise<BulkOperation[]> {
  requireFewPasswords(sent);
  return oneByOne(sent, readOperation);
}

/** Reads an operation by the rules of its kind. */
async function readOperation(sent: unknown): Promise<BulkOperation> {
  try {
    if (!isObject(sent)) throw InvalidInput.asAWhole('invalid_type', 'The operation must be an object');
    const { op: sentOp, id: sentId, link, updated_at: sentAt } = sent;
    const op = parseField('op', kind, sentOp);
    const unknown = Object.keys(sent).filter((name) => !fieldsOfKind[op].includes(name));
    if (unknown.length > 0) throw new ForbiddenField(unknown.slice(0, maxNestedProblems));
    if (op === 'create') {
      const body = await readNested('link', link, CreateDynamicLinkBody);
      return { op, fields: await withPasswordHash(CreateDynamicLinkBody.toLink(body)) };
    }
    const id = parseField('id', uuid, sentId);
    if (op === 'delete') return { op, id };
    const changes = await withPasswordHash(toChanges(await readNested('link', link, UpdateDynamicLinkBody)));
    return { op, id, changes, updatedAt: sentAt === undefined ? null : parseField('updated_at', dateTime, sentAt) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { op: 'invalid', error };
  }
}

function parseField<T>(name: string, rule: Rule<T>, sent: unknown): T {
  if (sent === undefined) throw InvalidInput.asAWhole('required', `${name} is required`, [name]);
  const reading = rule.safeParse(sent);
  if ('problems' in reading) throw InvalidInput.because(inField(name, reading.problems));
  return reading.value;
}

@ApiSchema({ name: 'BulkResult' })
class BulkResultDto extends answer({
  status: { type: 'integer', description: 'HTTP status that the operation would have alone.', example: 201 },
  data: {
    type: DynamicLinkDto,
    nullable: true,
    description:
      'Link that was created or updated. Null for updates beyond the first that have 8 MB of JSON together; read those by their ids.',
  },
  error: { type: ErrorDetail, nullable: true, description: 'Error of an operation that failed.', example: null },
}) {}

/** Characters of the updated links in an answer, which is in memory at once. Tests lower it. */
export const bulkAnswers = { maxUpdatesLength: 8_000_000 };

@ApiSchema({ name: 'BulkResults' })
export class BulkResultsDto extends answer({
  succeeded: { type: 'integer', minimum: 0, example: 1 },
  failed: { type: 'integer', minimum: 0, example: 0 },
  results: { type: [BulkResultDto], description: 'Result of each operation, in their order.' },
}) {
  static async of(results: BulkResult[], urlOf: (link: DynamicLink) => string): Promise<BulkResultsDto> {
    let updatesLength = 0;
    const rendered = await oneByOne(results, (result) => {
      const one = render(result, urlOf);
      // The body of the request limits what creations answer, and updates name their links.
      if ('op' in result && result.op === 'update') {
        if (updatesLength > bulkAnswers.maxUpdatesLength) one.data = null;
        else updatesLength += JSON.stringify(one.data).length;
      }
      return one;
    });
    const failed = rendered.filter(({ error }) => error).length;
    return { succeeded: results.length - failed, failed, results: rendered };
  }
}

function render(result: BulkResult, urlOf: (link: DynamicLink) => string): BulkResultDto {
  if ('error' in result) {
    const { status, body } = errorAnswer(result.error, 'POST');
    return { status, data: null, error: body.error };
  }
  if (!('link' in result)) return { status: 200, data: null, error: null };
  const data = DynamicLinkDto.of(result.link, urlOf(result.link));
  return { status: result.op === 'create' ? 201 : 200, data, error: null };
}

export class BulkResponse extends dataOf(BulkResultsDto) {}
