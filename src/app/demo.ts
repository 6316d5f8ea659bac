import { AccountRepository } from '../management-api/accounts/account.repository';
import { AccountsService } from '../management-api/accounts/accounts.service';
import { ApiKeysService } from '../management-api/api-keys/api-keys.service';
import type { Config } from './config';
import { LinkHosts } from '../management-api/link-paths/link-hosts';
import type { LinkPath } from '../management-api/link-paths/custom-path';
import type { Subdomain } from '../management-api/projects/project';
import { ProjectsService } from '../management-api/projects/projects.service';
import type { Service } from './service';
import { UnitOfWork } from '../shared/unit-of-work';

const subdomain = 'demo' as Subdomain;

/** Creates a demo account with a project if there is no account, and prints its key and a command that creates a link. */
export async function introduceDemo({ app }: Service, config: Config): Promise<void> {
  if (await app.get(AccountRepository).any()) {
    process.stdout.write(
      `\n  Ready: ${config.apiBaseUrl.origin}/api/docs\n` +
        '  The demo key was printed at the first start. Another one: npm run --silent admin -- account create --name Me --plan pro\n\n',
    );
    return;
  }
  const { project, secret } = await app.get(UnitOfWork).run(async () => {
    const { account, user } = await app.get(AccountsService).create('Demo', 'pro', null);
    const key = await app.get(ApiKeysService).create(account.id, 'Demo', null);
    const owner = { accountId: account.id, userId: user.id, plan: account.plan };
    return { secret: key.secret, project: await app.get(ProjectsService).create(owner, 'Demo', subdomain) };
  });
  const api = `${config.apiBaseUrl.origin}/api/v1`;
  process.stdout.write(`
  Ready. A demo account (plan pro) has the project "demo". Its API key is shown this once:

export SIGNPOST_KEY=${secret}

  Make a first link:

curl -s ${api}/projects/${project.id}/links -H "Authorization: Bearer ${secret}" -H 'Content-Type: application/json' -d '{"name":"My first link","custom_path":"hello","desktop_url":"https://example.com/","ios_fallback_url":"https://example.com/?from=ios"}'

  Then open it: ${app.get(LinkHosts).urlOf(project, 'hello' as LinkPath)}
  API description: ${config.apiBaseUrl.origin}/api/docs

`);
}
