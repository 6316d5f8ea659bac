import { IsQueryBoolean } from '../../management-api/kit/field.decorators';

export class AssociationHealthQuery {
  @IsQueryBoolean({
    default: false,
    description:
      'Also fetches the files from the hosts over HTTPS, as phones do. It takes up to eleven seconds. An account may run one probe ' +
      'at a time, and ten per minute by default; more get 429 `RATE_LIMITED`.',
  })
  probe: boolean;
}
