import { domainError } from '../../shared/domain-error';

export class TagExists extends domainError(
  'TAG_EXISTS',
  (name: string) => `The project already has the tag ${name}; merge the two tags or choose another name`,
) {}
