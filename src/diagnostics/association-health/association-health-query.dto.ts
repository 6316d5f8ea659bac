import { IsQueryBoolean } from '../../api-kit/kit/field.decorators';

export class AssociationHealthQuery {
  @IsQueryBoolean({
    default: false,
    description:
      'Whether the service fetches the files from the hosts over HTTPS, as phones do. A probe takes up to eleven seconds. An account ' +
      'may run one probe at a time, and by default ten per minute. Further probes get 429 `RATE_LIMITED`.',
  })
  probe: boolean;
}
