import { shell } from './en/shell';
import { projects } from './en/projects';
import { clicks } from './en/clicks';
import { shares } from './en/shares';
import { campaign } from './en/campaign';
import { links } from './en/links';
import { link } from './en/link';
import { rules } from './en/rules';
import { templates } from './en/templates';
import { imports } from './en/imports';
import { apps } from './en/apps';
import { findings } from './en/findings';
import { health } from './en/health';
import { guidance } from './en/guidance';
import { domains } from './en/domains';
import { account } from './en/account';
import { history } from './en/history';
import { webhooks } from './en/webhooks';
import { problems } from './en/problems';
import { visitReasons } from './en/visit-reasons';

/** The English catalogue, whose keys all others have. */
export const messages = {
  ...shell,
  ...projects,
  ...clicks,
  ...shares,
  ...campaign,
  ...links,
  ...link,
  ...rules,
  ...templates,
  ...imports,
  ...apps,
  ...findings,
  ...health,
  ...guidance,
  ...domains,
  ...account,
  ...history,
  ...webhooks,
  ...problems,
  ...visitReasons,
};
