import type { Choice } from './column-mapping';
import type { ReadableFile } from './import-file';
import type { ImportRules, Source } from './import-sources';

/** The form of an import. It lives as long as the page, because a browser hands out a file once. */
export interface HeldForm {
  importId: string;
  file: ReadableFile;
  source: Source;
  rules: ImportRules;
  choices: Choice[];
}

let newest: HeldForm | null = null;

/** Holds the form of the newest import, so that its user can return from the dry run. */
export const holdForm = (form: HeldForm): void => {
  newest = form;
};

export const heldForm = (importId: string | undefined): HeldForm | null =>
  newest?.importId === importId ? newest : null;
