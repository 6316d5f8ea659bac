import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { type ErrorCode, errorCodes } from '../../shared/domain-error';
import { errorDetails, objectDetails, ProblemDetails } from './error-details';

@ApiExtraModels(ProblemDetails, ...objectDetails)
export class ErrorDetail {
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
      'Details of the error. A list for invalid input and forbidden fields, an object for other errors. Absent if the code says ' +
      'everything.',
    oneOf: errorDetails,
  })
  details?: unknown;
}

/** Describes the body of every error response. */
export class ErrorResponse {
  @ApiProperty({ type: ErrorDetail })
  error: ErrorDetail;
}
