import type { AndroidApp, IosApp } from '../../links/apps/app';
import { appPaths, matcherOf } from '../../links/association-files/app-paths';
import { type LinkOwnerships, maxOwnedPaths } from '../../links/association-files/owned-paths';
import { EventLoopTurns } from '../../shared/event-loop-turns';
import { type HealthCode, type HealthProblem, healthProblem } from './health-problem';
import type { AssociatedPlatform } from './published-rules';

type ScopedApp = Pick<IosApp | AndroidApp, 'id' | 'name' | 'paths'>;

const appOf = { ios: 'iosAppId', android: 'androidAppId' } as const;

/**
 * Checks the paths of the apps against the links: a link should open the app that it names, and no other.
 * Lets other requests run between two apps, because a project may have many apps, patterns and links.
 * @param links null if they are too many to check
 * @param unscoped the paths of the links are not in the file
 */
export async function scopeProblems(
  platform: AssociatedPlatform,
  apps: readonly ScopedApp[],
  links: LinkOwnerships,
  unscoped: boolean,
): Promise<HealthProblem[]> {
  const turns = new EventLoopTurns();
  const problems: HealthProblem[] = [];
  if (unscoped)
    problems.push(
      healthProblem(
        'paths_not_derived',
        links === null
          ? `The project has more than ${maxOwnedPaths} paths, so links may open another app of the project.`
          : 'The paths of the links do not fit into the file, so links may open another app of the project.',
        { platform },
      ),
    );
  for (const app of apps) {
    problems.push(...appProblems(platform, app, links ?? []));
    await turns.next();
  }
  return problems;
}

function appProblems(
  platform: AssociatedPlatform,
  { id, name, paths }: ScopedApp,
  links: NonNullable<LinkOwnerships>,
): HealthProblem[] {
  if (paths === null) return [];
  const problem = (code: HealthCode, message: string) => healthProblem(code, message, { platform, appId: id });
  if (appPaths.tryParse(paths) === null)
    return [problem('malformed_paths', `The paths of “${name}” are invalid; phones may ignore all of them.`)];
  const matches = matcherOf(paths);
  const isInside = (path: string) => matches(`/${path}`);
  const outside = links.find((link) => link[appOf[platform]] === id && !isInside(link.path));
  const other = links.find(
    (link) => link[appOf[platform]] !== null && link[appOf[platform]] !== id && isInside(link.path),
  );
  return [
    ...(outside
      ? [
          problem(
            'link_outside_paths',
            `Links of “${name}” outside its paths do not open it, such as /${outside.path}.`,
          ),
        ]
      : []),
    ...(other
      ? [
          problem(
            'link_in_other_paths',
            `Inside the paths of “${name}” there are links of other apps, which open it too, such as /${other.path}.`,
          ),
        ]
      : []),
  ];
}
