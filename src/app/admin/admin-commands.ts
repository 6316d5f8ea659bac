import type { ClickHouseClickCopy } from '../../clicks/recording/clickhouse-click-copy';
import type { AccountChanges } from '../../tenancy/accounts/account';
import { plans } from '../../tenancy/accounts/plan';
import { roles } from '../../api-kit/policy/policy';
import { oneOf } from '../../shared/rule';
import { unlimitedRights } from '../../api-kit/policy/rights';
import { uuid } from '../../shared/id';
import { requireFound } from '../../shared/require-found';
import { displayName } from '../../shared/text';
import {
  databaseUrlOption,
  email,
  expiry,
  flag,
  hostList,
  optional,
  type Options,
  present,
  type OptionReader,
  regionName,
  required,
} from './admin-options';
import { shownAccount, shownKey, shownMember, shownUser, shownUserData } from './admin-answers';
import type { AdminServices } from './admin-services';
import type { RegionSettings } from '../../regions/region-commands';

const maxListedUsers = 10_000;

type Answer = Record<string, unknown>;

export type Work = () => Promise<Answer>;

interface Command {
  takes: string[];
  /** Reads the options before the database is opened, so that errors are reported at once. */
  read: (options: Options) => Work;
}

type Readers = Record<string, OptionReader<unknown>>;

function command<Taken extends Readers>(
  takes: Taken,
  work: (values: { [Name in keyof Taken]: ReturnType<Taken[Name]> }) => Work,
): Command {
  const read = (options: Options) =>
    Object.fromEntries(Object.entries(takes).map(([name, reader]) => [name, reader(options, name)]));
  return { takes: Object.keys(takes), read: (options) => work(read(options) as Parameters<typeof work>[0]) };
}

const account = required(uuid);
const plan = required(oneOf(plans));

export const commands: Record<string, Command> = {
  'account create': command(
    { name: required(displayName), plan, email: optional(email) },
    ({ name, plan, email = null }) =>
      withServices(async ({ accounts, keys, unitOfWork }) => {
        const { account, user, key } = await unitOfWork.run(async () => {
          const created = await accounts.create(name, plan, email);
          return { ...created, key: await keys.create(created.account.id, 'Default', null) };
        });
        return {
          account: shownAccount(account),
          user: shownUser(user),
          api_key: { ...shownKey(key), key: key.secret },
        };
      }),
  ),
  'account list': command({ name: optional(displayName) }, ({ name = null }) =>
    withServices(async ({ accounts }) => ({ accounts: (await accounts.list(name)).map(shownAccount) })),
  ),
  'account set-plan': command({ account, plan }, ({ account, plan }) =>
    withServices(async ({ accounts }) => ({ account: shownAccount(await accounts.update(account, { plan })) })),
  ),
  'account disable': changesAccount({ disabled: true }),
  'account enable': changesAccount({ disabled: false }),
  'account end-approvals': changesAccount({ approvalRequired: false }),
  'account erase': command({ account, name: required(displayName) }, ({ account: id, name }) =>
    withServices(async ({ accounts, erasure }) => {
      const account = await accounts.get(id);
      if (account.name !== name) throw new Error(`The name of account ${id} is ${account.name}. Send it as --name.`);
      await erasure.erase(id);
      return { account: shownAccount(account) };
    }),
  ),
  'user list': command({ account }, ({ account }) =>
    withServices(async ({ users }) => {
      const { items } = await users.list(account, { page: 1, limit: maxListedUsers });
      return { users: items.map(shownUser) };
    }),
  ),
  'user export': command({ account, user: required(uuid) }, ({ account, user }) =>
    withServices(async ({ users }) => ({ user: shownUserData(await users.export(account, user)) })),
  ),
  'user erase': command({ account, user: required(uuid) }, ({ account: accountId, user }) =>
    withServices(async ({ users }) => {
      await users.erase({ accountId, rights: unlimitedRights }, user);
      return { erased: user };
    }),
  ),
  'key create': command({ account, name: required(displayName), expires: expiry }, ({ account, name, expires }) =>
    withServices(async ({ keys }) => {
      const key = await keys.create(account, name, expires);
      return { api_key: { ...shownKey(key), key: key.secret } };
    }),
  ),
  'key list': command({ account }, ({ account }) =>
    withServices(async ({ keys }) => ({ api_keys: (await keys.list(account)).map(shownKey) })),
  ),
  'key revoke': command({ key: required(uuid) }, ({ key }) =>
    withServices(async ({ keys }) => ({ api_key: shownKey(await keys.revoke(key)) })),
  ),
  'member set': command(
    { account, email: optional(email), subject: optional(displayName), role: required(oneOf(roles)) },
    ({ account, email, subject, role }) => {
      const name = email === undefined ? { subject: present(subject, 'subject') } : { email: email.toLowerCase() };
      return withServices(async ({ members }) => ({ member: shownMember(await members.setRole(account, name, role)) }));
    },
  ),
  'project set-hosts': command({ account, project: required(uuid), hosts: hostList }, ({ account, project, hosts }) =>
    withServices(async ({ projects }) => {
      const changed = requireFound(await projects.update(account, project, { destinationHosts: hosts }), 'Project');
      return { project: { id: changed.id, name: changed.name, destination_hosts: changed.destinationHosts } };
    }),
  ),
  'region add': command(
    { name: required(regionName), rebuild: flag, 'subscription-url': optional(databaseUrlOption) },
    ({ name, rebuild: isRebuild, 'subscription-url': subscriptionUrl }) =>
      withRegions(({ addCommand }, settings) => addCommand(settings, { name, isRebuild, subscriptionUrl })),
  ),
  'region status': command({}, () => withRegions(({ statusCommand }, settings) => statusCommand(settings))),
  'region remove': command({ name: required(regionName), force: flag }, ({ name, force: isForced }) =>
    withRegions(({ removeCommand }, settings) => removeCommand(settings, { name, isForced })),
  ),
  'clicks copy': command({}, () =>
    withServices(async ({ clicks }) => ({ clicks: { copied: await withClickHouse(clicks).copy() } })),
  ),
  'clicks verify': command({}, () => withServices(async ({ clicks }) => verifyClicks(withClickHouse(clicks)))),
  'audit verify': command({ account: optional(uuid) }, ({ account }) =>
    withServices((services) => verifyJournals(services, account)),
  ),
};

type RegionCommands = typeof import('../../regions/region-commands');

/** Runs a command for regions, which uses PostgreSQL alone. */
function withRegions(work: (commands: RegionCommands, settings: RegionSettings) => Promise<Answer>): Work {
  return async () => {
    const { readConfig } = await import('../settings/config.js');
    return work(await import('../../regions/region-commands.js'), readConfig());
  };
}

function changesAccount(changes: AccountChanges): Command {
  return command({ account }, ({ account }) =>
    withServices(async ({ accounts }) => ({ account: shownAccount(await accounts.update(account, changes)) })),
  );
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
