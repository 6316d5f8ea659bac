import type { INestApplicationContext } from '@nestjs/common';
import type { Account, User } from '../tenancy/accounts/account';
import { AccountRepository } from '../tenancy/accounts/account.repository';
import { AccountsService } from '../tenancy/accounts/accounts.service';
import type { Caller } from '../tenancy/accounts/caller';
import { unlimitedRights } from '../api-kit/policy/rights';
import { ApiKeysService } from '../tenancy/api-keys/api-keys.service';
import { LinkHosts } from '../link-paths/paths/link-hosts';
import type { LinkPath } from '../link-paths/paths/custom-path';
import type { Project } from '../links/projects/project';
import type { Subdomain } from '../links/projects/subdomain';
import { ProjectRepository } from '../links/projects/project.repository';
import { ProjectsService } from '../links/projects/projects.service';
import { Log } from '../platform/observability/log';
import { DatabaseClock } from '../shared/database-clock';
import { UnitOfWork } from '../shared/unit-of-work';
import type { Config } from './settings/config';
import { fillDemo } from './demo-data';
import type { NestProcess } from './nest-process';

const subdomain = 'demo' as Subdomain;
const monthMs = 30 * 24 * 60 * 60_000;

/** Creates a demo account with a filled project if there is no account, and prints how to open it. */
export async function introduceDemo({ app }: NestProcess, config: Config): Promise<void> {
  if (await app.get(AccountRepository).any()) {
    process.stdout.write(
      `\n  Ready: ${config.apiBaseUrl.origin}${config.console ? '/console/' : '/api/docs'}\n` +
        '  The demo key was printed at the first start. Another one, with a link that opens the console: npm run --silent demo\n\n',
    );
    return;
  }
  const { project, secret, caller } = await createDemo(app);
  // The service must go on without the demo, such as after a crash of the database in this second.
  const filled = await fillDemo(app, project, caller).then(
    () => 'with links and clicks',
    (error: unknown) => {
      app.get(Log).warn(`the demo project has no links yet: ${(error as Error).message}`);
      return 'without links yet; add them by: npm run --silent demo';
    },
  );
  const api = `${config.apiBaseUrl.origin}/api/v1`;
  process.stdout.write(`
${config.console ? `  Open the console, signed in:\n\n${consoleLink(config, project, secret)}\n\n` : ''}  Ready. A demo account (plan pro) has the project "demo", ${filled}.

  For the API. The key is shown this once:

export SIGNPOST_API_KEY=${secret}

  Make a first link:

curl -s ${api}/projects/${project.id}/links -H "Authorization: Bearer $SIGNPOST_API_KEY" -H 'Content-Type: application/json' -d '{"name":"My first link","custom_path":"hello","desktop_url":"https://example.com/","ios_fallback_url":"https://example.com/?from=ios"}'

  Then open it: ${app.get(LinkHosts).urlOf(project, 'hello' as LinkPath)}
  API description: ${config.apiBaseUrl.origin}/api/docs

`);
}

/** Fills the demo project, creates it if needed, and returns what to print (`npm run demo`). */
export async function refillDemo(app: INestApplicationContext, config: Config): Promise<string> {
  const project = await app.get(ProjectRepository).findBySubdomain(subdomain);
  const demo = project ? { project, ...(await anotherKey(app, project)) } : await createDemo(app);
  const { links, clicks } = await fillDemo(app, demo.project, demo.caller);
  const filled =
    links > 0 ? `Added ${links} links with ${clicks} clicks of sixty days.` : 'The project has the demo links already.';
  return `
  ${filled}
${config.console ? `\n  Open the console, signed in, while the service runs:\n\n${consoleLink(config, demo.project, demo.secret)}\n` : ''}
`;
}

/** Returns an address that signs in. Browsers send no fragment to the server, and the page removes it at once. */
const consoleLink = (config: Config, project: Project, secret: string): string =>
  `${config.apiBaseUrl.origin}/console/projects/${project.id}#key=${secret}`;

interface Demo {
  project: Project;
  secret: string;
  caller: Caller;
}

const callerOf = (account: Account, user: Pick<User, 'id'>, apiKeyId: string): Caller => ({
  accountId: account.id,
  plan: account.plan,
  userId: user.id,
  apiKeyId,
  rights: unlimitedRights,
  stopped: null,
});

function createDemo(app: INestApplicationContext): Promise<Demo> {
  return app.get(UnitOfWork).run(async () => {
    const { account, user } = await app.get(AccountsService).create('Demo', 'pro', null);
    const { id, secret } = await app.get(ApiKeysService).create(account.id, 'Demo', null);
    const caller = callerOf(account, user, id);
    return {
      secret,
      caller,
      project: await app.get(ProjectsService).create(caller, { name: 'Demo', subdomain, longLinkDestinations: [] }),
    };
  });
}

async function anotherKey(app: INestApplicationContext, project: Project): Promise<Omit<Demo, 'project'>> {
  const { account } = await app.get(AccountsService).getWithUsage(project.accountId);
  const key = await app
    .get(ApiKeysService)
    .create(account.id, 'Demo console', new Date((await app.get(DatabaseClock).now()) + monthMs));
  return { secret: key.secret, caller: callerOf(account, { id: project.userId }, key.id) };
}
