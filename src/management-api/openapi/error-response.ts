import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { type ErrorCode, errorCodes } from '../../shared/domain-error';
import {
  BulkDetails,
  CountDetails,
  FeatureDetails,
  LimitDetails,
  ProblemDetails,
  ReasonDetails,
  ReferenceDetails,
  StateDetails,
  VerificationDetails,
} from './error-details';

/** The forms of `details` that are objects. A new form must differ from the others in its required fields. */
const objectDetails = [
  FeatureDetails,
  LimitDetails,
  VerificationDetails,
  ReferenceDetails,
  ReasonDetails,
  StateDetails,
  BulkDetails,
  CountDetails,
];

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
    oneOf: [
      { type: 'array', items: { $ref: getSchemaPath(ProblemDetails) }, minItems: 1 },
      ...objectDetails.map((details) => ({ $ref: getSchemaPath(details) })),
    ],
  })
  details?: unknown;
}

/** Describes the body of every error response. */
export class ErrorResponse {
  @ApiProperty({ type: ErrorDetail })
  error: ErrorDetail;
}
