import type { Policy } from './policy';

/** The policy of each operation, by its id (`operationIdOf`). An operation without a row stops the service at its start. */
export const policies: Readonly<Record<string, Policy>> = {
  getAccount: ['any key', 'viewer'],
  getAccountProtection: ['signed-in only', 'viewer'],
  updateAccountProtection: ['signed-in only', 'owner'],
  listAuditLogEntries: ['audit:read', 'admin'],
  exportAuditLogEntries: ['audit:read', 'admin'],

  listApiKeys: ['signed-in only', 'admin'],
  createApiKey: ['signed-in only', 'admin'],
  getApiKey: ['signed-in only', 'admin'],
  updateApiKey: ['signed-in only', 'admin'],
  deleteApiKey: ['signed-in only', 'admin'],
  rotateApiKey: ['signed-in only', 'admin'],
  revokeLeakedApiKey: 'public',

  listMembers: ['signed-in only', 'admin'],
  createMember: ['signed-in only', 'admin'],
  getMember: ['signed-in only', 'admin'],
  updateMember: ['signed-in only', 'admin'],
  deleteMember: ['signed-in only', 'admin'],

  listUsers: ['signed-in only', 'admin'],
  getUser: ['signed-in only', 'admin'],
  deleteUser: ['signed-in only', 'admin'],

  listProjects: ['projects:read', 'viewer'],
  createProject: ['projects:write', 'admin'],
  getProject: ['projects:read', 'viewer'],
  updateProject: ['projects:write', 'admin'],
  deleteProject: ['projects:write', 'admin'],
  listFormerSubdomains: ['projects:read', 'viewer'],
  deleteFormerSubdomain: ['projects:write', 'admin'],
  listHistoryEntries: ['projects:read', 'viewer'],
  // For an app, the service also requires the policy of a change of the app.
  restoreHistoryEntry: ['links:write', 'editor'],
  checkAssociationHealth: ['projects:read', 'viewer'],

  listDynamicLinks: ['links:read', 'viewer'],
  exportDynamicLinks: ['links:read', 'viewer'],
  getDynamicLink: ['links:read', 'viewer'],
  getDynamicLinkByExternalId: ['links:read', 'viewer'],
  getDynamicLinkQrCode: ['links:read', 'viewer'],
  explainVisit: ['links:read', 'viewer'],
  explainChangedLink: ['links:read', 'viewer'],
  simulateVisits: ['links:read', 'viewer'],
  explainLongLink: ['links:read', 'viewer'],
  explainNewLink: ['links:read', 'viewer'],
  createDynamicLink: ['links:create', 'editor'],
  updateDynamicLink: ['links:write', 'editor'],
  replaceDynamicLink: ['links:write', 'editor'],
  deleteDynamicLink: ['links:write', 'editor'],
  changeDynamicLinks: ['links:write', 'editor'],
  changeMatchingDynamicLinks: ['links:write', 'editor'],

  listShortLinks: ['links:read', 'viewer'],
  getShortLink: ['links:read', 'viewer'],
  getShortLinkQrCode: ['links:read', 'viewer'],
  createShortLink: ['links:create', 'editor'],
  deleteShortLink: ['links:write', 'editor'],

  listTags: ['links:read', 'viewer'],
  getTag: ['links:read', 'viewer'],
  createTag: ['links:write', 'editor'],
  updateTag: ['links:write', 'editor'],
  deleteTag: ['links:write', 'editor'],
  mergeTag: ['links:write', 'editor'],

  listImports: ['imports:read', 'viewer'],
  getImport: ['imports:read', 'viewer'],
  listImportRows: ['imports:read', 'viewer'],
  getImportReport: ['imports:read', 'viewer'],
  getImportEventStream: ['imports:read', 'viewer'],
  createImport: ['imports:write', 'editor'],
  createImportFromApi: ['imports:write', 'editor'],
  runImport: ['imports:write', 'editor'],
  cancelImport: ['imports:write', 'editor'],
  deleteImport: ['imports:write', 'editor'],

  listIosApps: ['apps:read', 'viewer'],
  getIosApp: ['apps:read', 'viewer'],
  createIosApp: ['apps:write', 'admin'],
  updateIosApp: ['apps:write', 'admin'],
  deleteIosApp: ['apps:write', 'admin'],
  listAndroidApps: ['apps:read', 'viewer'],
  getAndroidApp: ['apps:read', 'viewer'],
  createAndroidApp: ['apps:write', 'admin'],
  updateAndroidApp: ['apps:write', 'admin'],
  deleteAndroidApp: ['apps:write', 'admin'],

  listCustomDomains: ['domains:read', 'viewer'],
  getCustomDomain: ['domains:read', 'viewer'],
  checkCustomDomain: ['domains:read', 'viewer'],
  createCustomDomain: ['domains:write', 'admin'],
  updateCustomDomain: ['domains:write', 'admin'],
  verifyCustomDomain: ['domains:write', 'admin'],
  deleteCustomDomain: ['domains:write', 'admin'],

  getProjectAnalytics: ['analytics:read', 'viewer'],
  getDynamicLinkAnalytics: ['analytics:read', 'viewer'],
  listClicks: ['analytics:read', 'viewer'],
  exportClicks: ['analytics:read', 'viewer'],

  getOpenApi: 'public',
  pageApiDoc: 'public',
  fileApiDoc: 'public',
  liveHealth: 'public',
  startupHealth: 'public',
  readyHealth: 'public',
  readyForTrafficHealth: 'public',
  assetConsole: 'public',
  licencesConsole: 'public',
  silentRenewConsole: 'public',
  startConsole: 'public',
  pageConsole: 'public',
  redirectStartPage: 'public',
  answerElsewhereUnknownRoute: 'public',
  answerInsideApiUnknownRoute: 'authenticated',
};

/** @throws Error if the table has no row */
export function requirePolicy(operationId: string): Policy {
  if (!Object.hasOwn(policies, operationId))
    throw new Error(`The operation ${operationId} has no policy. Add a row to src/api-kit/policy/policies.ts.`);
  return policies[operationId]!;
}
