import { LinkHosts } from '../../src/links/link-paths/link-hosts';
import type { Site } from '../../src/link-traffic/site';
import { VerifiedDomainIndex } from '../../src/link-traffic/verified-domain-index';

/** Answers after `delayMs`, and counts its full lists. */
class SlowRepository {
  lists = 0;

  constructor(
    public hosts: string[],
    private readonly delayMs: number,
  ) {}

  async listVerified(): Promise<string[]> {
    this.lists++;
    const listed = this.hosts;
    await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    return listed;
  }
}

const linkHosts = new LinkHosts(new URL('https://links.example'), new URL('https://api.example'));
const noNotifications = { current: false, onChanges: () => {}, onLost: () => {} };

const fail = (error: unknown): never => {
  throw error;
};

async function withIndex(
  repository: SlowRepository,
  check: (siteOf: (host: string) => Site | null) => Promise<void>,
): Promise<void> {
  const index = new VerifiedDomainIndex(() => repository.listVerified(), noNotifications, linkHosts, fail);
  try {
    const started = index.start();
    await jest.advanceTimersByTimeAsync(1000);
    await started;
    await check((host) => index.siteOf(host));
  } finally {
    const stopped = index.stop();
    await jest.advanceTimersByTimeAsync(1000);
    await stopped;
  }
}

describe('without notifications', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test.each([0, 50, 200])('serves a removed domain for at most a second if a query takes %d ms', async (delayMs) => {
    const repository = new SlowRepository(['go.example.com'], delayMs);
    await withIndex(repository, async (siteOf) => {
      // The changes fall on different moments of the cycle of reloads.
      for (let round = 0; round < 20; round++) {
        expect(siteOf('go.example.com')).not.toBeNull();
        repository.hosts = [];
        await jest.advanceTimersByTimeAsync(1000);
        expect(siteOf('go.example.com')).toBeNull();
        repository.hosts = ['go.example.com'];
        await jest.advanceTimersByTimeAsync(1037);
      }
    });
  });

  test('reads many domains less often', async () => {
    const repository = new SlowRepository(
      Array.from({ length: 100_000 }, (_, i) => `go-${i}.example.com`),
      150,
    );
    await withIndex(repository, async () => {
      repository.lists = 0;
      await jest.advanceTimersByTimeAsync(30_000);
      expect(repository.lists).toBe(9);
    });
  });
});
