import { ApiSchema } from '@nestjs/swagger';
import { answer } from '../kit/answer';

@ApiSchema({
  name: 'ReasonDetails',
  description:
    'Details of `RATE_LIMITED` if a limit of the account is reached, and of `DATABASE_ERROR` if a list takes too long. ' +
    '`ACCESS_DENIED` has them outside the limits of a credential.',
})
export class ReasonDetails extends answer({
  reason: {
    enum: [
      'allow_lists',
      'approval',
      'concurrency',
      'disabled',
      'frozen',
      'imports',
      'network',
      'origin',
      'own_approval',
      'probes_per_minute',
      'project',
      'publishable',
      'stored_answers',
      'too_expensive',
    ],
    description:
      '`allow_lists`: an API key cannot change the allowed destinations of the project. `concurrency`: too many requests or exports of the ' +
      'account run at the same time. `approval`: another person must approve the change. `own_approval`: nobody approves a change that they ' +
      'requested. `disabled`: the operator has disabled the account. `frozen`: the owner has stopped all changes. ' +
      '`imports`: an API key with `destination_hosts` cannot import. `network`: the API key must not be used from this network. ' +
      '`probes_per_minute`: too many probes of association files. `origin`: a publishable key was used by a page of another origin, or by ' +
      'none. `project`: the caller has no access to the project. `publishable`: a publishable key only creates links. `stored_answers`: ' +
      'the answers that the service keeps for `Idempotency-Key` take too much space. ' +
      '`too_expensive`: the database works, but the list cannot be read in time.',
  },
  retry_after_seconds: {
    type: 'integer',
    minimum: 1,
    required: false,
    description: 'Time after which a retry may succeed, in seconds, if it is known.',
    example: 60,
  },
  approval_id: {
    type: 'string',
    format: 'uuid',
    required: false,
    description: 'Approval that waits, for the reason `approval`.',
    example: '0198c0de-7e57-7000-8000-0000000000a9',
  },
}) {}
