/** Counts what quotas limit. The rows belong to resources that build on accounts (docs/decisions/0020-read-models.md). */
export abstract class AccountUsageRepository {
  abstract countProjects(accountId: string): Promise<number>;
  /** Over all projects of the account. */
  abstract countDynamicLinks(accountId: string): Promise<number>;
  /** Those that were not revoked. */
  abstract countApiKeys(accountId: string): Promise<number>;
}
