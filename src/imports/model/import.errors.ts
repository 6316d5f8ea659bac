import { domainError } from '../../shared/domain-error';
import type { ImportState } from './import-state';

export class ImportNotInState extends domainError(
  'IMPORT_STATE',
  (message: string, _: ImportState) => message,
  (_, state) => ({ state }),
) {}

export class ImportFileTooLarge extends domainError(
  'PAYLOAD_TOO_LARGE',
  () => 'The file must not have more than 200 MB; divide it into several imports',
) {}
