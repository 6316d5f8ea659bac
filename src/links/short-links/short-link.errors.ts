import { domainError } from '../../shared/domain-error';

export class SlugExists extends domainError(
  'SLUG_EXISTS',
  (slug: string) => `The slug ${slug} is already used in this project; choose another one`,
) {}
