import { ApiExtraModels } from '@nestjs/swagger';
import { answer, textAnswer } from '../kit/answer';
import { errorCodes } from '../../shared/domain-error';
import { errorDetails, objectDetails, ProblemDetails } from './error-details';

@ApiExtraModels(ProblemDetails, ...objectDetails)
export class ErrorDetail extends answer({
  code: {
    enum: errorCodes,
    enumName: 'ErrorCode',
    description: 'Error code for programs. Check the HTTP status first.',
  },
  message: textAnswer('Explanation in plain text.', 'name is required'),
  details: {
    required: false,
    description:
      'Details of the error. A list for invalid input and forbidden fields, an object for other errors. Absent if the code says ' +
      'everything.',
    oneOf: errorDetails,
  },
}) {}

export class ErrorResponse extends answer({
  error: { type: ErrorDetail },
}) {}
