import type { INestApplicationContext } from '@nestjs/common';
import type { Click } from '../clicks/recording/click';
import { ClickBatch } from '../clicks/recording/click-batch';
import { PgClickRepository } from '../clicks/recording/pg-click.repository';
import { DistinctNames } from '../clicks/recording/distinct-names';
import type { Caller } from '../tenancy/accounts/caller';
import { AppsService } from '../links/apps/apps.service';
import { PackageNameExists, BundleIdExists } from '../links/apps/app.errors';
import { CustomPathExists } from '../links/dynamic-links/dynamic-link.errors';
import { DynamicLinksService } from '../links/dynamic-links/dynamic-links.service';
import type { Project } from '../links/projects/project';
import { SlugExists } from '../links/short-links/short-link';
import { ShortLinksService } from '../links/short-links/short-links.service';
import { newId } from '../shared/id';
import { UnitOfWork } from '../shared/unit-of-work';
import { type ClickedLink, demoClicks } from './demo-clicks';
import { demoAndroidApp, demoIosApp, type DemoLink, demoLinks } from './demo-content';

const batchSize = 5000;

/**
 * Fills a project with apps, links and clicks that look real. Names that the project has already are left alone, so it can run again.
 * Returns the numbers of new links and clicks.
 */
export async function fillDemo(
  app: INestApplicationContext,
  project: Project,
  caller: Caller,
  now = Date.now(),
): Promise<{ links: number; clicks: number }> {
  const { plan } = caller;
  const unless = skipTaken(app.get(UnitOfWork));
  const ios = await unless(BundleIdExists, () => app.get(AppsService).create('ios', project, plan, demoIosApp));
  const android = await unless(PackageNameExists, () =>
    app.get(AppsService).create('android', project, plan, demoAndroidApp),
  );
  const apps = { ...(ios && { iosAppId: ios.id }), ...(android && { androidAppId: android.id }) };

  const clicked: ClickedLink[] = [];
  const create = async ({ link, usesApps, weight, qrShare, shortSlugs }: DemoLink): Promise<void> => {
    const created = await unless(CustomPathExists, () =>
      app.get(DynamicLinksService).create(project, plan, { ...link, ...(usesApps && apps) }),
    );
    if (!created) return;
    const shortLinkIds: string[] = [];
    for (const slug of shortSlugs) {
      const shortLink = await unless(SlugExists, () =>
        app.get(ShortLinksService).create(project, caller, created.id, slug),
      );
      if (shortLink) shortLinkIds.push(shortLink.id);
    }
    clicked.push({ id: created.id, weight, qrShare, shortLinkIds });
  };
  // The last is the newest, and lists show the newest first.
  for (const link of demoLinks.toReversed()) await create(link);
  const clicks = clicked.length > 0 ? demoClicks(project.id, clicked, now) : [];
  await record(app.get(PgClickRepository), clicks);
  return { links: clicked.length, clicks: clicks.length };
}

/** Returns a function that creates something, or returns null if its name is taken. */
const skipTaken =
  (unitOfWork: UnitOfWork) =>
  async <T>(refusal: abstract new (...args: never[]) => Error, create: () => Promise<T>): Promise<T | null> => {
    try {
      return await unitOfWork.run(create);
    } catch (error) {
      if (error instanceof refusal) return null;
      throw error;
    }
  };

/** Writes clicks as a process with visits does, and sums them up, so that the first page with statistics is fast. */
async function record(clicks: PgClickRepository, made: readonly Click[]): Promise<void> {
  const writer = newId();
  const referrers = new DistinctNames();
  const count = Math.ceil(made.length / batchSize);
  for (let number = 1; number <= count; number++) {
    const batch = new ClickBatch(batchSize, referrers);
    for (const click of made.slice((number - 1) * batchSize, number * batchSize)) batch.add(click);
    batch.seal();
    await clicks.record(writer, number, batch);
  }
  while ((await clicks.rollUp(made.length)) > 0);
}
