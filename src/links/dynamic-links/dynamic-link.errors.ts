import { DomainError } from '../../shared/domain-error';
import { clip } from '../../shared/problem';

export class ExternalIdExists extends DomainError {
  readonly code = 'EXTERNAL_ID_EXISTS';

  constructor(externalId: string) {
    super(
      `Another link of this project has the external_id ${clip(externalId)}; update that link or choose another one`,
    );
  }
}

export class CustomPathExists extends DomainError {
  readonly code = 'CUSTOM_PATH_EXISTS';

  constructor(customPath: string) {
    super(`The path ${customPath} is already used in this project; choose another one`);
  }
}
