export class ApiDocsSettings {
  /** Whether the page `/api/docs` exists. */
  readonly enabled: boolean;
}
