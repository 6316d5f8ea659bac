import { Field } from '../../management-api/kit/field';
import { flag } from '../../shared/rule';

export class AssociationHealthQuery {
  @Field(flag(false), {
    description:
      'Fetch the files from the hosts, too, over HTTPS as phones do. It takes up to eleven seconds. Without it nothing is called.',
    optional: true,
  })
  probe: boolean;
}
