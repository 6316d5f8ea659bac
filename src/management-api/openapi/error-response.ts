import { ApiProperty } from '@nestjs/swagger';
import { type ErrorCode, errorCodes } from '../../shared/domain-error';

class ErrorDetail {
  @ApiProperty({
    enum: errorCodes,
    enumName: 'ErrorCode',
    description: 'Error code for programs. Check the HTTP status first.',
  })
  code: ErrorCode;

  @ApiProperty({ description: 'Explanation in plain text.', example: 'name is required' })
  message: string;

  @ApiProperty({
    required: false,
    description:
      'Details of the error. Invalid input: an array of `{ code, path, message }`. Feature outside the plan: ' +
      '`{ feature, current_plan, required_plan }`. Quota or limit: `{ limit, used, current_plan, required_plan }`, for a rename with the operation ' +
      '`release: { operation_id, method, path }`. ' +
      'Failed verification of a domain: `{ reason, record, found }`; the reason is `no_record`, `other_value` or `no_answer`. ' +
      'References to an app: `{ total, dynamic_links }`, the latter with `id`, `name` and `custom_path` of the first ones. ' +
      'Account above its share of the database: `{ reason: "concurrency" }`.',
    oneOf: [{ type: 'array', items: { type: 'object' } }, { type: 'object' }],
  })
  details?: unknown;
}

/** Describes the body of every error response. */
export class ErrorResponse {
  @ApiProperty({ type: ErrorDetail })
  error: ErrorDetail;
}
