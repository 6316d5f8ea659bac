import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { pageOf } from '../../api-kit/openapi/envelopes';
import type { FormerSubdomain } from './subdomain.repository';

@ApiSchema({ name: 'FormerSubdomain' })
export class FormerSubdomainDto {
  @ApiProperty({ description: 'A subdomain that the project had before.', example: 'summer' })
  subdomain: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Time of the rename that left the subdomain.',
    example: '2026-06-01T09:30:00.000Z',
  })
  left_at: string;

  static of(this: void, { name, leftAt }: FormerSubdomain): FormerSubdomainDto {
    return { subdomain: name, left_at: leftAt.toISOString() };
  }
}

@ApiSchema({ name: 'FormerSubdomainPage' })
export class FormerSubdomainPage extends pageOf(FormerSubdomainDto) {}
