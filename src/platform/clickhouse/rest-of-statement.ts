/** Signals that a part of a statement was not there, so that ClickHouse is not at fault. */
export class FailedPart extends Error {
  constructor(override readonly cause: unknown) {
    super('a part of the statement failed');
  }
}

/** A statement without its first part. It keeps the failure of a part, because a connection reports it like one of ClickHouse. */
export class RestOfStatement {
  failure: FailedPart | null = null;

  constructor(private readonly parts: AsyncGenerator<string>) {}

  async *texts(): AsyncGenerator<string> {
    try {
      yield* this.parts;
    } catch (error) {
      throw (this.failure = new FailedPart(error));
    }
    yield ' FORMAT JSONEachRow';
  }
}
