import { domainError } from '../../shared/domain-error';
import { clip } from '../../shared/problem';

export class ExternalIdExists extends domainError(
  'EXTERNAL_ID_EXISTS',
  (externalId: string) =>
    `Another link of this project has the external_id ${clip(externalId)}; update that link or choose another one`,
) {}

export class CustomPathExists extends domainError(
  'CUSTOM_PATH_EXISTS',
  (customPath: string) => `The path ${customPath} is already used in this project; choose another one`,
) {}
