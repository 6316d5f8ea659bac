import { DomainError } from '../../shared/domain-error';

export class TagExists extends DomainError {
  readonly code = 'TAG_EXISTS';

  constructor(name: string) {
    super(`The project already has the tag ${name}; merge the two tags or choose another name`);
  }
}
