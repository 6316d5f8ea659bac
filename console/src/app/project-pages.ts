import {
  IconApps,
  IconBolt,
  IconChartAreaLine,
  IconCircleCheck,
  IconFileImport,
  IconHistory,
  IconLink,
  IconSettings,
  IconTags,
  IconTrash,
  IconWorld,
} from '../components/icons';

/** The pages of a project in the order of the navigation. */
export const projectPages = [
  ['/projects/$projectId', 'nav.overview', IconChartAreaLine],
  ['/projects/$projectId/links', 'nav.links', IconLink],
  ['/projects/$projectId/templates', 'nav.templates', IconTags],
  ['/projects/$projectId/imports', 'nav.imports', IconFileImport],
  ['/projects/$projectId/apps', 'nav.apps', IconApps],
  ['/projects/$projectId/domains', 'nav.domains', IconWorld],
  ['/projects/$projectId/health', 'nav.health', IconCircleCheck],
  ['/projects/$projectId/history', 'nav.history', IconHistory],
  ['/projects/$projectId/live', 'nav.live', IconBolt],
  ['/projects/$projectId/bin', 'nav.bin', IconTrash],
  ['/projects/$projectId/settings', 'nav.settings', IconSettings],
] as const;
