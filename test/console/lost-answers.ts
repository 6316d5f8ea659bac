import type { Page, Route } from 'playwright-core';

export interface LostAnswers {
  /** Answers of successful requests that did not arrive. */
  lost: number;
  /** Requests after those. */
  repeated: number;
}

/**
 * Lets requests of a method reach the service, and loses their answers while `isLosing` returns true. Refusals arrive, because a
 * refused request has changed nothing.
 * @param lose answers the page instead of the service
 */
export async function loseAnswers(
  page: Page,
  url: string,
  { method, status }: { method: string; status: number },
  isLosing: (counts: LostAnswers) => boolean,
  lose = (route: Route) => route.abort(),
): Promise<LostAnswers> {
  const counts = { lost: 0, repeated: 0 };
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    if (!isLosing(counts)) {
      counts.repeated++;
      return route.fallback();
    }
    const response = await route.fetch();
    if (response.status() !== status) return route.fulfill({ response });
    counts.lost++;
    return lose(route);
  });
  return counts;
}
