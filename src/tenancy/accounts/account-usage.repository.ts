/** Counts the resources that quotas limit, which build on accounts (docs/decisions/0020-read-models.md). */
export abstract class AccountUsageRepository {
  abstract countProjects(accountId: string): Promise<number>;
  abstract countDynamicLinks(accountId: string): Promise<number>;
  /** Counts bytes that imports store. */
  abstract countImportBytes(accountId: string): Promise<number>;
  /** Counts live keys. */
  abstract countApiKeys(accountId: string): Promise<number>;
}
