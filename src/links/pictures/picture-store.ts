import { DomainError } from '../../shared/domain-error';

/** Stores the bytes of pictures outside of the database, by the ids of their rows. Each is written once. */
export abstract class PictureStore {
  /** @throws PictureStoreUnavailable, as the others do */
  abstract write(id: string, jpeg: Buffer): Promise<void>;
  /** Returns null if the store does not have it. */
  abstract read(id: string): Promise<Buffer | null>;
  /** Does nothing if the store does not have it. */
  abstract remove(id: string): Promise<void>;
}

/** Refuses a request until the store of pictures answers again. The cause is for the log. */
export class PictureStoreUnavailable extends DomainError {
  readonly code = 'DATABASE_ERROR';

  constructor(cause: unknown) {
    super('The store of pictures does not answer; send the request again later');
    this.cause = cause;
  }
}

export class PictureStoreSettings {
  /** URL of a bucket with a prefix, and with the access key as user and password; undefined if PostgreSQL stores pictures. */
  readonly url: URL | undefined;
  readonly region: string;
}
