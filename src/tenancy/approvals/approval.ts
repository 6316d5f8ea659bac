/** Changes that a second person approves if the account requires it. The policy table has the roles that they need. */
export const approvableOperations = [
  'deleteProject',
  'deleteCustomDomain',
  'createMember',
  'updateMember',
  'deleteMember',
  'deleteUser',
  'updateAccountProtection',
] as const;
export type ApprovableOperation = (typeof approvableOperations)[number];

export const approvalStates = ['pending', 'approved', 'refused', 'expired'] as const;
export type ApprovalState = (typeof approvalStates)[number];

export const approvalDays = 7;
export const maxPendingApprovals = 100;

/** A change that waits for a second person. */
export interface RequestedChange {
  operation: ApprovableOperation;
  projectId: string | null;
  /** The project, domain, member or user; null for a creation and for the account. */
  resourceId: string | null;
  /** Values of the body; null without a body. */
  body: object | null;
}

export interface Approval extends RequestedChange {
  id: string;
  accountId: string;
  state: ApprovalState;
  /** The person, or the user for whom the API key acts. */
  requestedBy: string;
  apiKeyId: string | null;
  decidedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
  decidedAt: Date | null;
}

export interface ListedApproval extends Approval {
  /** E-mail addresses, or names at the identity provider; null if they are unknown. */
  requestedByName: string | null;
  decidedByName: string | null;
  /** Name of the project, host name, or person; null if it is unknown. */
  resourceName: string | null;
}
