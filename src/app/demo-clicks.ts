import { type Click, type Client, dayMs, type OpenedLink } from '../clicks/recording/click';

export interface ClickedLink {
  id: string;
  weight: number;
  qrShare: number;
  shortLinkIds: string[];
}

/** Twice thirty days, so that the last thirty can be compared with those before. */
const days = 60;
const clicksPerDay = 150;

type Weighted<T> = readonly (readonly [value: T, weight: number])[];

const clients: Weighted<Client> = (
  [
    ['ios', 'Safari', 34],
    ['android', 'Chrome', 29],
    ['desktop', 'Chrome', 14],
    ['desktop', 'Safari', 5],
    ['desktop', 'Edge', 4],
    ['desktop', 'Firefox', 3],
    ['android', 'Samsung Internet', 5],
    ['ios', 'Chrome', 3],
    ['android', 'Firefox', 1],
  ] as const
).map(([platform, browser, weight]) => [{ platform, browser, robot: false }, weight]);

const robot: Client = { platform: 'desktop', browser: null, robot: true };

const referrers: Weighted<string | null> = [
  [null, 48],
  ['www.instagram.com', 14],
  ['www.google.com', 11],
  ['www.facebook.com', 7],
  ['mail.google.com', 6],
  ['t.co', 5],
  ['www.linkedin.com', 4],
  ['www.reddit.com', 3],
  ['blog.example.com', 2],
];

const countries: Weighted<string> = [
  ['DE', 31],
  ['AT', 16],
  ['CH', 14],
  ['US', 11],
  ['FR', 8],
  ['IT', 7],
  ['GB', 5],
  ['NL', 3],
  ['PL', 2],
  ['CA', 1],
  ['AU', 1],
  ['JP', 1],
];

/** Clicks by hour of the day (UTC), relative to each other. */
const hours = [3, 2, 1, 1, 1, 3, 7, 12, 15, 16, 17, 19, 20, 18, 16, 16, 18, 22, 26, 28, 24, 17, 10, 6];

/** Creates the same clicks for the same links and day, in order of time. */
export function demoClicks(projectId: string, links: readonly ClickedLink[], now: number): Click[] {
  const random = randomNumbers(7);
  const pick = <T>(items: Weighted<T>): T => {
    let rest = random() * items.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of items) if ((rest -= weight) < 0) return item;
    return items[0]![0];
  };
  const opened = links.map((link): [{ link: ClickedLink; names: Weighted<OpenedLink> }, number] => {
    const nameOf = (shortLinkId: string | null): OpenedLink => ({
      id: link.id,
      shortLinkId,
      shortLinkSource: shortLinkId === null ? null : 'api',
      quarterSerial: 0,
      numberInQuarter: 0,
    });
    return [
      { link, names: [[nameOf(null), 3], ...link.shortLinkIds.map((id) => [nameOf(id), 1] as const)] },
      link.weight,
    ];
  });
  const byHour = hours.map((weight, hour) => [hour, weight] as const);

  const clicks: Click[] = [];
  const today = Math.floor(now / dayMs) * dayMs;
  for (let daysAgo = days; daysAgo >= 0; daysAgo--) {
    const day = today - daysAgo * dayMs;
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    // More clicks each week, fewer at the weekend, and a campaign that peaked twelve days ago.
    const growth = 0.7 + (0.6 * (days - daysAgo)) / days;
    const peak = 1 + 1.4 * Math.exp(-((daysAgo - 12) ** 2) / 6);
    const count = clicksPerDay * growth * peak * (isWeekend ? 0.72 : 1) * (0.9 + 0.2 * random());
    for (let click = 0; click < count; click++) {
      const at = day + Math.floor((pick(byHour) + random()) * (dayMs / 24));
      const { link, names } = pick(opened);
      const isRobot = random() < 0.06;
      const qr = !isRobot && random() < link.qrShare;
      const name = pick(names);
      if (at >= now) continue;
      clicks.push({
        at,
        projectId,
        link: name,
        client: isRobot ? robot : pick(clients),
        referrer: qr || isRobot ? null : pick(referrers),
        country: pick(countries),
        qr,
      });
    }
  }
  return clicks.sort((one, other) => one.at - other.at);
}

/** Returns a function with numbers from 0 to 1 that are the same each time (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
