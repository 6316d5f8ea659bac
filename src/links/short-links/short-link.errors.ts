import { DomainError } from '../../shared/domain-error';

export class SlugExists extends DomainError {
  readonly code = 'SLUG_EXISTS';

  constructor(slug: string) {
    super(`The slug ${slug} is already used in this project; choose another one`);
  }
}
