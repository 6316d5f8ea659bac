export class ApiDocsSettings {
  /** Whether the page `/api/docs` exists. */
  readonly enabled: boolean;
  /** Folder of llms.txt and the Markdown pages, which the build writes. */
  readonly folder: string;
}
