import { ApiSchema } from '@nestjs/swagger';
import { answer, momentAnswer, textAnswer } from '../../api-kit/kit/answer';
import { pageOf } from '../../api-kit/openapi/envelopes';
import type { FormerSubdomain } from './subdomain.repository';

@ApiSchema({ name: 'FormerSubdomain' })
export class FormerSubdomainDto extends answer({
  subdomain: textAnswer('A subdomain that the project had before.', 'summer'),
  left_at: momentAnswer('Time of the rename that left the subdomain.', '2026-06-01T09:30:00.000Z'),
}) {
  static of(this: void, { name, leftAt }: FormerSubdomain): FormerSubdomainDto {
    return FormerSubdomainDto.render({ leftAt }, { subdomain: name });
  }
}

@ApiSchema({ name: 'FormerSubdomainPage' })
export class FormerSubdomainPage extends pageOf(FormerSubdomainDto) {}
