/** Holds the HMAC key for digests of API keys (`API_KEY_PEPPER`). It is a class, so that Nest can inject it by type. */
export class Pepper {
  constructor(readonly value: string) {}
}
