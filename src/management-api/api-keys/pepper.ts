/** The secret under which keys are digested (`API_KEY_PEPPER`). A class, so that Nest can inject it by its type. */
export class Pepper {
  constructor(readonly value: string) {}
}
