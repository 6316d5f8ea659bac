import { shell } from './de/shell';
import { projects } from './de/projects';
import { clicks } from './de/clicks';
import { shares } from './de/shares';
import { campaign } from './de/campaign';
import { links } from './de/links';
import { link } from './de/link';
import { rules } from './de/rules';
import { templates } from './de/templates';
import { imports } from './de/imports';
import { apps } from './de/apps';
import { findings } from './de/findings';
import { health } from './de/health';
import { guidance } from './de/guidance';
import { domains } from './de/domains';
import { account } from './de/account';
import { history } from './de/history';
import { webhooks } from './de/webhooks';
import { problems } from './de/problems';
import { visitReasons } from './de/visit-reasons';
import type { Messages } from '../i18n/text';

/** The German catalogue. */
export const messages: Messages = {
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
