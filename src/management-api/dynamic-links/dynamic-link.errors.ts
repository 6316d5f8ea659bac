import { DomainError } from '../../shared/domain-error';

export class CustomPathExists extends DomainError {
  readonly code = 'CUSTOM_PATH_EXISTS';

  constructor(customPath: string) {
    super(`The path ${customPath} is already used in this project; choose another one`);
  }
}
