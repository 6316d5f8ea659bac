import type { Type } from '@nestjs/common';
import { ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { errorCodes } from '../../shared/domain-error';
import { problemCodes } from '../../shared/problem';

// Resources are above this folder, so their values cannot be imported. `error-details.spec.ts` compares them.
const plans = ['free', 'pro', 'enterprise'];
const features = ['short_links', 'deferred_deep_links'];

/** A fault of a body or query. */
@ApiSchema({ name: 'Problem', description: 'One fault of a body or query. Details of 400 errors are a list of them.' })
export class ProblemDetails {
  @ApiProperty({ enum: problemCodes, enumName: 'ProblemCode', description: 'Kind of the fault, for programs.' })
  code: string;

  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }] },
    description:
      'Name of the field, parameter or header as sent, then keys and indexes inside it. Empty if the whole body or URL is at fault.',
  })
  path: (string | number)[];

  @ApiProperty({ description: 'Explanation in plain text.' })
  message: string;
}

@ApiSchema({ name: 'FeatureDetails', description: 'Details of `FORBIDDEN_PLAN`: the plan that includes the feature.' })
export class FeatureDetails {
  @ApiProperty({ enum: features })
  feature: string;

  @ApiProperty({ enum: plans, description: 'Plan of the account.' })
  current_plan: string;

  @ApiProperty({ enum: plans, description: 'The smallest plan that includes the feature.' })
  required_plan: string;
}

@ApiSchema({ name: 'ReleaseOperation' })
class ReleaseOperation {
  @ApiProperty({ enum: ['deleteFormerSubdomain'] })
  operation_id: string;

  @ApiProperty({ enum: ['DELETE'] })
  method: string;

  @ApiProperty({ description: 'Path below `/api/v1`. It has the id of the project, and the name `{subdomain}`.' })
  path: string;
}

@ApiSchema({ name: 'LimitDetails', description: 'Details of `ACCESS_DENIED` if a quota or another limit is reached.' })
export class LimitDetails {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'The limit: a number of resources, or bytes of a file.' })
  limit: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number in use. It can exceed the limit after a downgrade.',
  })
  used: number;

  @ApiProperty({ enum: plans, description: 'Plan of the account.' })
  current_plan: string;

  @ApiProperty({
    type: 'string',
    enum: [...plans, null],
    nullable: true,
    description: 'The smallest plan that allows more. Null if no plan does.',
  })
  required_plan: string | null;

  @ApiProperty({
    type: ReleaseOperation,
    required: false,
    description: 'For a rename beyond the limit of former subdomains: the operation that releases one.',
  })
  release?: ReleaseOperation;
}

@ApiSchema({ name: 'ExpectedRecord' })
class ExpectedRecord {
  @ApiProperty({ enum: ['TXT'] })
  type: string;

  @ApiProperty({ description: 'Name of the TXT record.' })
  name: string;

  @ApiProperty({ description: 'Value that the record must have.' })
  value: string;
}

@ApiSchema({ name: 'VerificationDetails', description: 'Details of `DOMAIN_NOT_VERIFIED` after a look-up.' })
export class VerificationDetails {
  @ApiProperty({
    enum: ['no_record', 'other_value', 'no_answer'],
    description:
      '`no_record`: the TXT record does not exist. `other_value`: it has another value. `no_answer`: the DNS did not answer.',
  })
  reason: string;

  @ApiProperty({ type: ExpectedRecord, description: 'The TXT record that verifies the domain.' })
  record: ExpectedRecord;

  @ApiProperty({
    type: [String],
    maxItems: 10,
    description: 'The first values that were found, cut to 100 characters.',
  })
  found: string[];
}

@ApiSchema({ name: 'ReferencingLink' })
class ReferencingLink {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty()
  custom_path: string;
}

@ApiSchema({
  name: 'ReferenceDetails',
  description: 'Details of `LINKED_REFERENCES`: the links that reference the app.',
})
export class ReferenceDetails {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of dynamic links that reference the app.' })
  total: number;

  @ApiProperty({ type: [ReferencingLink], minItems: 1, maxItems: 5, description: 'The oldest of them.' })
  dynamic_links: ReferencingLink[];
}

@ApiSchema({
  name: 'ReasonDetails',
  description:
    'Details of `RATE_LIMITED` if a limit of the account is reached, and of `DATABASE_ERROR` if a list takes too long.',
})
export class ReasonDetails {
  @ApiProperty({
    enum: ['concurrency', 'probes_per_minute', 'stored_answers', 'too_expensive'],
    description:
      '`concurrency`: too many requests or exports of the account run at the same time. `probes_per_minute`: too many probes of ' +
      'association files. `stored_answers`: the answers that the service keeps for `Idempotency-Key` take too much space. ' +
      '`too_expensive`: the database works, but the list cannot be read in time.',
  })
  reason: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    required: false,
    description: 'Time after which a retry may succeed, in seconds, if it is known.',
    example: 60,
  })
  retry_after_seconds?: number;
}

@ApiSchema({ name: 'StateDetails', description: 'Details of `IMPORT_STATE`: the state that the import has.' })
export class StateDetails {
  @ApiProperty({ enum: ['uploading', 'checking', 'ready', 'running', 'completed', 'cancelled', 'failed'] })
  state: string;
}

@ApiSchema({ name: 'CountDetails', description: 'Details of `COUNT_MISMATCH`: both numbers of links.' })
export class CountDetails {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of links in the request.' })
  expected_count: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of links that the filter finds.' })
  actual_count: number;
}

/** The forms of `details` of a single request that are objects. A new form must differ from the others in its required fields. */
const detailsOfOne = [
  FeatureDetails,
  LimitDetails,
  VerificationDetails,
  ReferenceDetails,
  ReasonDetails,
  StateDetails,
  CountDetails,
];

/** Returns the schemas of `details`: a list of problems, or one of the given objects. */
const detailsOf = (objects: Type[]) => [
  { type: 'array', items: { $ref: getSchemaPath(ProblemDetails) }, minItems: 1 },
  ...objects.map((details) => ({ $ref: getSchemaPath(details) })),
];

@ApiSchema({ name: 'FailedOperation' })
class FailedOperation {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Place of the operation in the request, from 0.' })
  index: number;

  @ApiProperty({
    enum: errorCodes,
    enumName: 'ErrorCode',
    description: 'Error code for programs. Check the HTTP status first.',
  })
  code: string;

  @ApiProperty({ description: 'Explanation in plain text.' })
  message: string;

  @ApiProperty({ required: false, description: 'As in a single request.', oneOf: detailsOf(detailsOfOne) })
  details?: unknown;
}

@ApiSchema({ name: 'BulkDetails', description: 'Details of `BULK_REFUSED`: the operations that fail.' })
export class BulkDetails {
  @ApiProperty({ type: [FailedOperation] })
  operations: FailedOperation[];
}

/** The forms of `details` of every error that are objects. */
export const objectDetails = [...detailsOfOne, BulkDetails];

export const errorDetails = detailsOf(objectDetails);
