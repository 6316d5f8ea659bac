import { IsQueryBoolean } from '../../management-api/kit/field.decorators';

export class AssociationHealthQuery {
  @IsQueryBoolean({
    default: false,
    description:
      'Fetch the files from the hosts, too, over HTTPS as phones do. It takes up to eleven seconds. Without it nothing is called.',
  })
  probe: boolean;
}
