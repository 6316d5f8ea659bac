import type { MessageKey } from '../i18n/text';

export interface HelpTopic {
  label: MessageKey;
  /** The page of the documentation. */
  page: string;
  hash?: string;
}

const console = { label: 'help.console', page: 'console' } as const;
const statistics = { label: 'help.statistics', page: 'links-and-statistics' } as const;
const visitors = { label: 'help.visitors', page: 'contract-link-traffic' } as const;
const imports = [
  { label: 'help.movingIn', page: 'moving-in/index' },
  { label: 'help.imports', page: 'moving-in/imports' },
  { label: 'help.csv', page: 'moving-in/csv' },
] as const;

/** The topics of help, by the route of the page. The first topic is the closest one. */
export const topics: Record<string, readonly HelpTopic[]> = {
  '/': [{ label: 'help.tutorial', page: 'tutorial' }, console],
  '/projects/$projectId': [statistics, console],
  '/projects/$projectId/links': [{ label: 'help.findLinks', page: 'console', hash: 'find-links' }, statistics],
  '/projects/$projectId/links/new': [{ label: 'help.editLink', page: 'console', hash: 'edit-a-link' }, visitors],
  '/projects/$projectId/links/$linkId': [
    { label: 'help.editLink', page: 'console', hash: 'edit-a-link' },
    visitors,
    statistics,
  ],
  '/projects/$projectId/campaign': [{ label: 'help.campaign', page: 'console', hash: 'create-a-campaign' }],
  '/projects/$projectId/templates': [{ label: 'help.templates', page: 'rules', hash: 'templates' }],
  '/projects/$projectId/imports': imports,
  '/projects/$projectId/imports/new': imports,
  '/projects/$projectId/imports/$importId': imports,
  '/projects/$projectId/apps': [
    { label: 'help.apps', page: 'app-developers' },
    { label: 'help.sdk', page: 'apps/index' },
    { label: 'help.deferred', page: 'deferred-deep-links' },
  ],
  '/projects/$projectId/domains': [{ label: 'help.domains', page: 'custom-domains' }],
  '/projects/$projectId/health': [
    { label: 'help.health', page: 'console', hash: 'health' },
    { label: 'help.apps', page: 'app-developers' },
    { label: 'help.alerts', page: 'operating/alerts' },
  ],
  '/projects/$projectId/settings': [{ label: 'help.longLinks', page: 'moving-in/long-links' }, visitors],
  '/projects/$projectId/history': [console],
  '/projects/$projectId/live': [{ label: 'help.webhooks', page: 'webhooks', hash: 'the-live-feed' }],
  '/webhooks': [{ label: 'help.webhooks', page: 'webhooks' }],
  '/projects/$projectId/bin': [console],
  '/audit-log': [console],
  '/api-keys': [
    { label: 'help.roles', page: 'roles-and-keys' },
    { label: 'help.commandLine', page: 'command-line' },
    { label: 'help.contract', page: 'contract' },
    { label: 'help.errors', page: 'errors' },
  ],
  '/approvals': [{ label: 'help.roles', page: 'roles-and-keys' }],
  '/members': [{ label: 'help.roles', page: 'roles-and-keys' }],
  '/account': [{ label: 'help.limits', page: 'contract-resources' }],
};

export const topicsOf = (route: string): readonly HelpTopic[] => topics[route] ?? [console];
