import type { AndroidAppRepository } from '../../../src/management-api/android-apps/android-app.repository';
import { AssociationHealthService } from '../../../src/diagnostics/association-health/association-health.service';
import type { FetchedFile } from '../../../src/diagnostics/association-health/fetched-file';
import type { HostProbe, ProbedHost } from '../../../src/diagnostics/association-health/host-probe';
import { probeProblems } from '../../../src/diagnostics/association-health/probe-checks';
import type { ProjectHost } from '../../../src/diagnostics/association-health/project-host';
import type { IosAppRepository } from '../../../src/management-api/ios-apps/ios-app.repository';
import { LinkHosts } from '../../../src/management-api/link-paths/link-hosts';
import type { Project } from '../../../src/management-api/projects/project';
import { Clock } from '../../../src/shared/clock';

// Responses of foreign hosts are checked in the process that serves visitors.

const answered = (body: string): FetchedFile => ({
  kind: 'answered',
  status: 200,
  contentType: 'application/json',
  body,
  certificateExpires: null,
});
const bothFiles = (body: string): ProbedHost => ({ ios: answered(body), android: answered(body) });

/** Returns the milliseconds of the fastest run, which other load affects least. */
const fastestMs = (run: () => unknown): number =>
  Math.min(
    ...Array.from({ length: 5 }, () => {
      const from = performance.now();
      run();
      return performance.now() - from;
    }),
  );

test('deeply nested JSON is refused faster than it is parsed', () => {
  const endless = '['.repeat(1024 * 1024);
  const parseBoth = (): void => {
    for (const body of [endless, endless]) expect(() => JSON.parse(body) as unknown).toThrow();
  };
  const file = { json: '[]', tag: '"tag"' };
  const files = { ios: file, android: file };
  const checkBoth = (): void =>
    expect(probeProblems('links.example.com', bothFiles(endless), files, 0).map(({ code }) => code)).toEqual([
      'content_differs',
      'content_differs',
    ]);
  expect(fastestMs(checkBoth)).toBeLessThan(fastestMs(parseBoth) / 4);
});

test('the event loop turns between the checks of two hosts', async () => {
  const hosts = Array.from(
    { length: 20 },
    (_, at) =>
      ({
        kind: 'custom_domain',
        name: `links${at}.example.com`,
        current: false,
        answers: true,
        recordMissingSince: null,
      }) satisfies ProjectHost,
  );
  const noApps = { all: () => Promise.resolve([]) };
  const health = new AssociationHealthService(
    noApps as unknown as IosAppRepository,
    noApps as unknown as AndroidAppRepository,
    { hostsOf: () => Promise.resolve(hosts) },
    new LinkHosts(new URL('https://go.example.com'), new URL('https://api.example.com')),
    {
      probe: (origins: string[]) => Promise.resolve(new Map(origins.map((origin) => [origin, bothFiles('{}')]))),
    } as unknown as HostProbe,
    new Clock(),
  );
  let turns = 0;
  const turn = (): void => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const { problems } = await health.check({ subdomain: 'summer' } as Project, true);
  clearImmediate(next);
  expect(problems.filter(({ code }) => code === 'content_differs')).toHaveLength(2 * hosts.length);
  expect(turns).toBeGreaterThanOrEqual(hosts.length);
});
