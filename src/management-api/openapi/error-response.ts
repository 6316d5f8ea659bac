import { ApiProperty } from '@nestjs/swagger';
import { type ErrorCode, errorCodes } from '../../shared/domain-error';

class ErrorDetail {
  @ApiProperty({ enum: errorCodes, enumName: 'ErrorCode', description: 'For programs. Look at the HTTP status first.' })
  code: ErrorCode;

  @ApiProperty({ description: 'For people.', example: 'name is required' })
  message: string;

  @ApiProperty({
    required: false,
    description:
      'Where input was refused: an array of `{ code, path, message }`. For a plan gate: `{ feature, current_plan, required_plan }`. ' +
      'For a quota: `{ limit, used, current_plan, required_plan }`. For a domain that was looked for: `{ reason, record, found }`, its reason ' +
      '`no_record`, `other_value` or `no_answer`. For an account above its share of the database: `{ reason: "concurrency" }`.',
    oneOf: [{ type: 'array', items: { type: 'object' } }, { type: 'object' }],
  })
  details?: unknown;
}

/** Describes the body of every error response. */
export class ErrorResponse {
  @ApiProperty({ type: ErrorDetail })
  error: ErrorDetail;
}
