import { apply } from './apply.js';
import { bulk } from './bulk.js';
import type { Command } from './command.js';
import { completion } from './completion.js';
import { domainsCheck } from './domains-check.js';
import { domainsUse } from './domains-use.js';
import { exportCommand } from './export.js';
import { importCommand } from './import.js';
import { linksCreate } from './links-create.js';
import { linksDelete } from './links-delete.js';
import { linksGet } from './links-get.js';
import { linksList } from './links-list.js';
import { linksUpdate } from './links-update.js';
import { mcp } from './mcp.js';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  linksCreate,
  linksList,
  linksGet,
  linksUpdate,
  linksDelete,
  domainsCheck,
  domainsUse,
  apply,
  bulk,
  importCommand,
  exportCommand,
  mcp,
  completion(() => commands),
];
