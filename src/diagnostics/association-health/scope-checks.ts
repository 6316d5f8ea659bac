import type { AndroidApp, IosApp } from '../../links/apps/app';
import { appPaths, matcherOf } from '../../link-paths/association-files/app-paths';
import { type LinkOwnerships, maxOwnedPaths } from '../../link-paths/association-files/owned-paths';
import { EventLoopTurns } from '../../shared/event-loop-turns';
import { type HealthProblem, healthProblem, problemsIn } from './health-problem';
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
  const tooMany = `The project has more than ${maxOwnedPaths} paths, so links may open another app of the project.`;
  const tooLarge = 'The paths of the links do not fit into the file, so links may open another app of the project.';
  problems.push(...problemsIn({ platform }, [unscoped, 'paths_not_derived', links === null ? tooMany : tooLarge]));
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
  const subject = { platform, appId: id };
  const invalid = `The paths of “${name}” are invalid; phones may ignore all of them.`;
  if (appPaths.tryParse(paths) === null) return [healthProblem('malformed_paths', invalid, subject)];
  const matches = matcherOf(paths);
  const appIdOf = (link: NonNullable<LinkOwnerships>[number]) => link[appOf[platform]];
  const outside = links.find((link) => appIdOf(link) === id && !matches(`/${link.path}`));
  const other = links.find((link) => ![null, id].includes(appIdOf(link)) && matches(`/${link.path}`));
  const outsideText = `Links of “${name}” outside its paths do not open it, such as /${outside?.path}.`;
  const otherText = `Inside the paths of “${name}” there are links of other apps, which open it too, such as /${other?.path}.`;
  return problemsIn(
    subject,
    [outside !== undefined, 'link_outside_paths', outsideText],
    [other !== undefined, 'link_in_other_paths', otherText],
  );
}
