import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { clicksSearch } from '../clicks/clicks-search';
import { NotFoundPage } from '../components/not-found';
import { PageFault } from '../components/page-fault';
import { historySearch } from '../pages/history/history-search';
import { importSearch, newImportSearch } from '../pages/imports/import-search';
import { linkSearch, newLinkSearch } from '../pages/link/link-search';
import { linksSearch } from '../pages/links/links-search';
import { projectsSearch } from '../pages/projects/projects-search';
import { Shell } from './shell';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage, errorComponent: PageFault });

const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

const routes = [
  createRoute({
    ...at('/'),
    validateSearch: projectsSearch,
    component: lazyRouteComponent(() => import('../pages/projects/projects.page'), 'ProjectsPage'),
  }),
  createRoute({
    ...at('/projects/$projectId'),
    validateSearch: clicksSearch,
    component: lazyRouteComponent(() => import('../pages/overview/overview.page'), 'OverviewPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/links'),
    validateSearch: linksSearch,
    component: lazyRouteComponent(() => import('../pages/links/links.page'), 'LinksPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/links/new'),
    validateSearch: newLinkSearch,
    component: lazyRouteComponent(() => import('../pages/link/new-link.page'), 'NewLinkPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/links/$linkId'),
    validateSearch: linkSearch,
    component: lazyRouteComponent(() => import('../pages/link/link.page'), 'LinkPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/campaign'),
    component: lazyRouteComponent(() => import('../pages/campaign/campaign.page'), 'CampaignPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/templates'),
    component: lazyRouteComponent(() => import('../pages/templates/templates.page'), 'TemplatesPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/imports'),
    component: lazyRouteComponent(() => import('../pages/imports/imports.page'), 'ImportsPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/imports/new'),
    validateSearch: newImportSearch,
    component: lazyRouteComponent(() => import('../pages/imports/new-import.page'), 'NewImportPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/imports/$importId'),
    validateSearch: importSearch,
    component: lazyRouteComponent(() => import('../pages/imports/import.page'), 'ImportPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/apps'),
    component: lazyRouteComponent(() => import('../pages/apps/apps.page'), 'AppsPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/domains'),
    component: lazyRouteComponent(() => import('../pages/domains/domains.page'), 'DomainsPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/health'),
    component: lazyRouteComponent(() => import('../pages/health/health.page'), 'HealthPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/settings'),
    component: lazyRouteComponent(
      () => import('../pages/project-settings/project-settings.page'),
      'ProjectSettingsPage',
    ),
  }),
  createRoute({
    ...at('/projects/$projectId/history'),
    validateSearch: historySearch,
    component: lazyRouteComponent(() => import('../pages/history/history.page'), 'HistoryPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/live'),
    component: lazyRouteComponent(() => import('../pages/live/live.page'), 'LivePage'),
  }),
  createRoute({
    ...at('/webhooks'),
    component: lazyRouteComponent(() => import('../pages/webhooks/webhooks.page'), 'WebhooksPage'),
  }),
  createRoute({
    ...at('/projects/$projectId/bin'),
    component: lazyRouteComponent(() => import('../pages/history/bin.page'), 'BinPage'),
  }),
  createRoute({
    ...at('/audit-log'),
    validateSearch: historySearch,
    component: lazyRouteComponent(() => import('../pages/history/audit-log.page'), 'AuditLogPage'),
  }),
  createRoute({
    ...at('/help/$'),
    component: lazyRouteComponent(() => import('../pages/help/help.page'), 'HelpPage'),
  }),
  createRoute({
    ...at('/api-keys'),
    component: lazyRouteComponent(() => import('../pages/api-keys/api-keys.page'), 'ApiKeysPage'),
  }),
  createRoute({
    ...at('/approvals'),
    component: lazyRouteComponent(() => import('../pages/approvals/approvals.page'), 'ApprovalsPage'),
  }),
  createRoute({
    ...at('/members'),
    component: lazyRouteComponent(() => import('../pages/members/members.page'), 'MembersPage'),
  }),
  createRoute({
    ...at('/account'),
    component: lazyRouteComponent(() => import('../pages/account/account.page'), 'AccountPage'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  defaultErrorComponent: PageFault,
  // A page of another project or link must not show the data, or keep the fields, of the one before.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
