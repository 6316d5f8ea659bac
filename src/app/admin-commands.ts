import type { ClickHouseClickCopy } from '../clicks/recording/clickhouse-click-copy';
import type { Account, User } from '../tenancy/accounts/account';
import { roles } from '../api-kit/policy/policy';
import { oneOf } from '../shared/rule';
import type { Member } from '../tenancy/members/member';
import type { UserRecord } from '../tenancy/users/user-record';
import { unlimitedRights } from '../api-kit/policy/rights';
import type { ApiKey } from '../tenancy/api-keys/api-key';
import { uuid } from '../shared/id';
import { requireFound } from '../shared/require-found';
import { displayName } from '../shared/text';
import {
  databaseUrlOption,
  email,
  expiry,
  hostList,
  optional,
  type Options,
  regionName,
  required,
  requiredPlan,
} from './admin-options';
import type { AdminServices } from './admin-services';
import type { RegionSettings } from '../regions/region-commands';

const maxListedUsers = 10_000;

type Answer = Record<string, unknown>;

export type Work = () => Promise<Answer>;

interface Command {
  takes: string[];
  /** Reads the options before the database is opened, so that errors are reported at once. */
  read: (options: Options) => Work;
}

export const commands: Record<string, Command> = {
  'account create': {
    takes: ['name', 'plan', 'email'],
    read: (options) => {
      const name = required(options, 'name', displayName);
      const plan = requiredPlan(options);
      const address = optional(options, 'email', email) ?? null;
      return withServices(async ({ accounts, keys, unitOfWork }) => {
        const { account, user, key } = await unitOfWork.run(async () => {
          const created = await accounts.create(name, plan, address);
          return { ...created, key: await keys.create(created.account.id, 'Default', null) };
        });
        return {
          account: shownAccount(account),
          user: shownUser(user),
          api_key: { ...shownKey(key), key: key.secret },
        };
      });
    },
  },
  'account list': {
    takes: ['name'],
    read: (options) => {
      const name = optional(options, 'name', displayName) ?? null;
      return withServices(async ({ accounts }) => ({ accounts: (await accounts.list(name)).map(shownAccount) }));
    },
  },
  'account set-plan': {
    takes: ['account', 'plan'],
    read: (options) => {
      const id = required(options, 'account', uuid);
      const plan = requiredPlan(options);
      return withServices(async ({ accounts }) => ({ account: shownAccount(await accounts.update(id, { plan })) }));
    },
  },
  'account disable': setsDisabled(true),
  'account enable': setsDisabled(false),
  'account erase': {
    takes: ['account', 'name'],
    read: (options) => {
      const id = required(options, 'account', uuid);
      const name = required(options, 'name', displayName);
      return withServices(async ({ accounts, erasure }) => {
        const account = await accounts.get(id);
        if (account.name !== name) throw new Error(`The name of account ${id} is ${account.name}. Send it as --name.`);
        await erasure.erase(id);
        return { account: shownAccount(account) };
      });
    },
  },
  'user list': {
    takes: ['account'],
    read: (options) => {
      const account = required(options, 'account', uuid);
      return withServices(async ({ users }) => {
        const { items } = await users.list(account, { page: 1, limit: maxListedUsers });
        return { users: items.map(shownUser) };
      });
    },
  },
  'user export': {
    takes: ['account', 'user'],
    read: (options) => {
      const account = required(options, 'account', uuid);
      const user = required(options, 'user', uuid);
      return withServices(async ({ users }) => ({ user: shownUserData(await users.export(account, user)) }));
    },
  },
  'user erase': {
    takes: ['account', 'user'],
    read: (options) => {
      const accountId = required(options, 'account', uuid);
      const user = required(options, 'user', uuid);
      return withServices(async ({ users }) => {
        await users.erase({ accountId, rights: unlimitedRights }, user);
        return { erased: user };
      });
    },
  },
  'key create': {
    takes: ['account', 'name', 'expires'],
    read: (options) => {
      const account = required(options, 'account', uuid);
      const name = required(options, 'name', displayName);
      const expires = expiry(options);
      return withServices(async ({ keys }) => {
        const key = await keys.create(account, name, expires);
        return { api_key: { ...shownKey(key), key: key.secret } };
      });
    },
  },
  'key list': {
    takes: ['account'],
    read: (options) => {
      const account = required(options, 'account', uuid);
      return withServices(async ({ keys }) => ({ api_keys: (await keys.list(account)).map(shownKey) }));
    },
  },
  'key revoke': {
    takes: ['key'],
    read: (options) => {
      const key = required(options, 'key', uuid);
      return withServices(async ({ keys }) => ({ api_key: shownKey(await keys.revoke(key)) }));
    },
  },
  'member set': {
    takes: ['account', 'email', 'subject', 'role'],
    read: (options) => {
      const account = required(options, 'account', uuid);
      const address = optional(options, 'email', email)?.toLowerCase();
      const subject = address === undefined ? required(options, 'subject', displayName) : undefined;
      const role = required(options, 'role', oneOf(roles));
      const name = address === undefined ? { subject: subject! } : { email: address };
      return withServices(async ({ members }) => ({ member: shownMember(await members.setRole(account, name, role)) }));
    },
  },
  'project set-hosts': {
    takes: ['account', 'project', 'hosts'],
    read: (options) => {
      const account = required(options, 'account', uuid);
      const project = required(options, 'project', uuid);
      const hosts = hostList(options);
      return withServices(async ({ projects }) => {
        const changed = requireFound(await projects.update(account, project, { destinationHosts: hosts }), 'Project');
        return { project: { id: changed.id, name: changed.name, destination_hosts: changed.destinationHosts } };
      });
    },
  },
  'region add': {
    takes: ['name', 'rebuild', 'subscription-url'],
    read: (options) => {
      const name = required(options, 'name', regionName);
      const subscriptionUrl = optional(options, 'subscription-url', databaseUrlOption);
      const isRebuild = options['rebuild'] === true;
      return withRegions(({ addCommand }, settings) => addCommand(settings, { name, isRebuild, subscriptionUrl }));
    },
  },
  'region status': {
    takes: [],
    read: () => withRegions(({ statusCommand }, settings) => statusCommand(settings)),
  },
  'region remove': {
    takes: ['name', 'force'],
    read: (options) => {
      const name = required(options, 'name', regionName);
      const isForced = options['force'] === true;
      return withRegions(({ removeCommand }, settings) => removeCommand(settings, { name, isForced }));
    },
  },
  'clicks copy': {
    takes: ['again'],
    read: (options) => {
      const again = options['again'] === true;
      return withServices(async ({ clicks }) => ({ clicks: { copied: await withClickHouse(clicks).copy({ again }) } }));
    },
  },
  'clicks verify': {
    takes: [],
    read: () => withServices(async ({ clicks }) => verifyClicks(withClickHouse(clicks))),
  },
  'audit verify': {
    takes: ['account'],
    read: (options) => {
      const account = optional(options, 'account', uuid);
      return withServices((services) => verifyJournals(services, account));
    },
  },
};

type RegionCommands = typeof import('../regions/region-commands');

/** Runs a command for regions, which uses PostgreSQL alone. */
function withRegions(work: (commands: RegionCommands, settings: RegionSettings) => Promise<Answer>): Work {
  return async () => {
    const { readConfig } = await import('./config.js');
    return work(await import('../regions/region-commands.js'), readConfig());
  };
}

/** Returns the command that stops, or permits, all requests of an account to the API. */
function setsDisabled(disabled: boolean): Command {
  return {
    takes: ['account'],
    read: (options) => {
      const id = required(options, 'account', uuid);
      return withServices(async ({ accounts }) => ({ account: shownAccount(await accounts.update(id, { disabled })) }));
    },
  };
}

/** Opens the services last, because Nest and TypeORM take the longest to load. Wrong usage is reported before. */
function withServices(work: (services: AdminServices) => Promise<Answer>): Work {
  return async () => (await import('./admin-services.js')).withServices(work);
}

const maxListed = 10;

/** @throws Error if the service does not use ClickHouse */
function withClickHouse(clicks: ClickHouseClickCopy | null): ClickHouseClickCopy {
  if (!clicks) throw new Error('CLICKHOUSE_URL is not set. Set it to the database that clicks are copied to.');
  return clicks;
}

/** @throws Error if both stores have not the same clicks of each project and day before today (UTC) */
async function verifyClicks(clicks: ClickHouseClickCopy): Promise<Answer> {
  const today = await clicks.today();
  const differences = await clicks.differences(today);
  if (differences.length === 0) return { clicks: { verified_before: today } };
  const lines = differences
    .slice(0, maxListed)
    .map(
      ({ projectId, day, postgresql, clickhouse }) =>
        `project ${projectId} on ${day}: ${postgresql} in PostgreSQL, ${clickhouse} in ClickHouse`,
    );
  if (differences.some(({ postgresql, clickhouse }) => clickhouse < postgresql))
    lines.push(
      'ClickHouse lacks clicks. See "Move from PostgreSQL" and "Fill ClickHouse again" in docs/operating/clickhouse.md.',
    );
  throw new Error([`The stores differ on ${differences.length} days of projects:`, ...lines].join('\n'));
}

/** @throws Error if an entry of an account is missing or was changed */
async function verifyJournals({ accounts, journal }: AdminServices, only: string | undefined): Promise<Answer> {
  const ids = only === undefined ? (await accounts.list(null)).map(({ id }) => id) : [only];
  const verified: Answer[] = [];
  for (const id of ids) {
    const { checked, head, brokenAt } = await journal.verify(id);
    if (brokenAt !== null)
      throw new Error(
        `Entry ${brokenAt} of account ${id} is missing, or was changed after it was written. ` +
          'See "If the chain is broken" in docs/operating/audit-log.md.',
      );
    verified.push({ account_id: id, checked, head });
  }
  return { audit_log: verified };
}

const shownAccount = ({ id, name, plan, createdAt, frozen, disabled }: Account) => ({
  id,
  name,
  plan,
  created_at: createdAt,
  frozen,
  disabled,
});

const shownUser = ({ id, email, createdAt }: Pick<User, 'id' | 'email' | 'createdAt'>) => ({
  id,
  email,
  created_at: createdAt,
});

const shownUserData = (user: UserRecord) => ({
  ...shownUser(user),
  identities: user.identities,
  member: user.member,
  api_keys: user.apiKeys,
  project_ids: user.projectIds,
  journal_entries: user.journalEntries,
  addresses: user.addresses,
});

const shownMember = ({ id, accountId, email, subject, role, createdAt }: Member) => ({
  id,
  account_id: accountId,
  email,
  subject,
  role,
  created_at: createdAt,
});

const shownKey = (key: ApiKey) => ({
  id: key.id,
  account_id: key.accountId,
  name: key.name,
  prefix: key.prefix,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
});
