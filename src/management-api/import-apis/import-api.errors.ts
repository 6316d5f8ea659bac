/** Ends the reading of a list. Its message is for the caller of the import, and has no text of the other system. */
export class ImportApiFailure extends Error {}

/** Reports an answer that differs from the documented ones. */
export class StrangeAnswer extends ImportApiFailure {
  constructor(name: string, fault: string) {
    super(`${name} has sent an answer ${fault}; check the address, or import a file`);
  }
}

/** Reports a list whose pages repeat. */
export class EndlessList extends ImportApiFailure {
  constructor(name: string) {
    super(`${name} repeats the pages of its list; import a file`);
  }
}

/** Reports a list of which links may be missing. */
export class IncompleteList extends ImportApiFailure {
  constructor(name: string, fault: string) {
    super(`${name} ${fault}, so that links may be missing; send the request again, or import a file`);
  }
}
