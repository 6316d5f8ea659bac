export const listFaults = [
  'token_refused',
  'rate_limited',
  'not_found',
  'redirected',
  'wrong_status',
  'not_resolved',
  'private_address',
  'unreachable',
  'certificate_invalid',
  'no_answer',
  'strange_answer',
  'incomplete_list',
  'empty_list',
  'list_too_large',
  'interrupted',
] as const;
export type ListFault = (typeof listFaults)[number];

/** Ends the reading of a list. Its message is for the caller of the import, and has no text of the other system. */
export class ImportApiFailure extends Error {
  constructor(
    readonly fault: ListFault,
    message: string,
  ) {
    super(message);
  }
}

export class StrangeAnswer extends ImportApiFailure {
  constructor(name: string, fault: string) {
    super('strange_answer', `${name} has sent an answer ${fault}; check the address, or import a file`);
  }
}

export class EndlessList extends ImportApiFailure {
  constructor(name: string) {
    super('strange_answer', `${name} repeats the pages of its list; import a file`);
  }
}

export class IncompleteList extends ImportApiFailure {
  constructor(name: string, fault: string) {
    const remedy = 'send the request again, or import a file';
    super('incomplete_list', `${name} ${fault}, so that links may be missing; ${remedy}`);
  }
}
