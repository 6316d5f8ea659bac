import type { Page } from '../../shared/page';
import type { NewShare, OpenShare, Share } from './share';

export abstract class ShareRepository {
  /**
   * Locks the project's set of shares until the unit of work ends.
   * @throws NotFound if the project is gone
   */
  abstract lockProject(projectId: string): Promise<void>;
  abstract count(projectId: string): Promise<number>;
  /** @throws NotFound if the project, the link or the tag is gone */
  abstract insert(share: NewShare, tokenDigest: Buffer): Promise<Share>;
  abstract find(projectId: string, id: string): Promise<Share | null>;
  /** Finds the share, and locks it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<Share | null>;
  /** Lists the newest first. */
  abstract list(projectId: string, request: { page: number; limit: number }): Promise<Page<Share>>;
  abstract delete(projectId: string, id: string): Promise<boolean>;
  /**
   * Returns null if no share has the digest, or if it is expired, or its project, tag or account cannot be read. From then on, the
   * request counts as one of the account.
   */
  abstract findOpen(tokenDigest: Buffer): Promise<OpenShare | null>;
}
