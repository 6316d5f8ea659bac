import { apply } from './apply.js';
import { appCheck } from './app-check.js';
import { appRelease } from './app-release.js';
import { approvalsApprove, approvalsList, approvalsRefuse } from './approvals.js';
import { bulk } from './bulk.js';
import type { Command } from './command.js';
import { completion } from './completion.js';
import { conversionsExport, conversionsSend, conversionsStats } from './conversions.js';
import { domainsCheck } from './domains-check.js';
import { domainsUse } from './domains-use.js';
import { domainsVerify } from './domains-verify.js';
import { exportCommand } from './export.js';
import { health } from './health.js';
import { auditLog, history, restore } from './history.js';
import { importCommand } from './import.js';
import { keysRotate } from './keys-rotate.js';
import { linksCreate } from './links-create.js';
import { linksDelete } from './links-delete.js';
import { linksExplain } from './links-explain.js';
import { linksGet } from './links-get.js';
import { linksLife } from './links-life.js';
import { linksList } from './links-list.js';
import { linksUpdate } from './links-update.js';
import { mcp } from './mcp.js';
import { qr } from './qr.js';
import { resourceCommands } from './resource-commands.js';
import { apiKeys, apps, domains, members, projects, shares, shortLinks, templates, webhooks } from './resources.js';
import { stats } from './stats.js';
import { storeFunnel } from './store-funnel.js';
import { webhookActions } from './webhook-actions.js';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  linksCreate,
  linksList,
  linksGet,
  linksLife,
  linksUpdate,
  linksDelete,
  linksExplain,
  ...resourceCommands(shortLinks),
  qr,
  stats,
  storeFunnel,
  conversionsSend,
  conversionsStats,
  conversionsExport,
  ...resourceCommands(templates),
  ...resourceCommands(shares),
  ...resourceCommands(projects),
  ...resourceCommands(apps),
  appRelease,
  appCheck,
  ...resourceCommands(domains),
  domainsVerify,
  domainsCheck,
  domainsUse,
  ...resourceCommands(apiKeys),
  keysRotate,
  ...resourceCommands(members),
  approvalsList,
  approvalsApprove,
  approvalsRefuse,
  ...resourceCommands(webhooks),
  ...webhookActions,
  history,
  restore,
  auditLog,
  health,
  apply,
  bulk,
  importCommand,
  exportCommand,
  mcp,
  completion(() => commands),
];
