import { ServiceHealthDto } from '../../src/management-api/health/service-health.dto';
import { load } from './load';

const { hostChecks, publicCopies } = load('pages/health/host-checks');
const { failuresOf } = load('pages/health/failures');
const { countVersions } = load('pages/health/replica-versions');
const { placeOfRunbook } = load('pages/health/runbook-place');

const host = 'go.example.com';
const files = (ios: number | null, android: number | null) => [
  { platform: 'ios', status: ios },
  { platform: 'android', status: android },
];
const [later, soon] = ['2027-01-01', '2026-12-01'];
/** The states of the DNS, the certificate and both files. */
type States = 'bad' | 'good' | 'soon' | 'unknown';
const unknown = 'unknown';

test.each<[what: string, probed: object | null, expires: string | null, problems: string[], ...States[]]>([
  ['without a probe', null, null, [], unknown, unknown, unknown, unknown],
  ['that is good', files(200, 200), later, [], 'good', 'good', 'good', 'good'],
  ['without an address', null, null, ['not_resolved'], 'bad', unknown, unknown, unknown],
  ['with a private address', null, null, ['private_address'], 'bad', unknown, unknown, unknown],
  ['without a connection', files(null, null), null, ['unreachable'], 'good', unknown, unknown, unknown],
  ['with a bad certificate', files(null, null), null, ['certificate_invalid'], 'good', 'bad', unknown, unknown],
  ['that expires soon', files(200, 200), soon, ['certificate_expires_soon'], 'good', 'soon', 'good', 'good'],
  ['with a file that redirects', files(301, 200), later, ['redirected ios'], 'good', 'good', 'bad', 'good'],
  ['with another file', files(200, 200), later, ['content_differs android'], 'good', 'good', 'good', 'bad'],
  ['without one file', files(200, null), later, ['no_answer android'], 'good', 'good', 'good', 'bad'],
])('a host %s', (_, probed, expires, problems, ...[dns, certificate, ios, android]) => {
  const found = problems.map((problem) => {
    const [code, platform = null] = problem.split(' ');
    return { code, platform, host };
  });
  const others = [{ code: 'not_resolved', platform: null, host: 'other.example.com' }];
  const states = hostChecks({ host, probed, certificate_expires_at: expires }, [...found, ...others]);
  expect(states).toEqual({ dns, certificate, ios, android });
});

test.each([
  ['go.example.com', true],
  ['demo.localhost:3000', false],
  ['localhost', false],
])('Apple and Google can have a copy of %s: %s', (name, isPublic) => {
  expect(publicCopies(name) !== null).toBe(isPublic);
});

const failures = failuresOf(
  { projectId: 'p', now: Date.parse('2026-12-01T00:00:00Z') },
  [
    { id: 'domain', hostname: 'a', record_missing_since: '2026-11-01T00:00:00Z' },
    { id: 'good domain', hostname: 'b', record_missing_since: null },
  ],
  [
    { id: 'stopped', project_id: null, failing_since: '2026-11-20T00:00:00Z', disabled_at: '2026-11-25T00:00:00Z' },
    { id: 'failing', project_id: 'p', failing_since: '2026-11-30T23:00:00Z', disabled_at: null },
    { id: 'of another project', project_id: 'q', failing_since: '2026-11-30T23:00:00Z', disabled_at: null },
    { id: 'good webhook', project_id: 'p', failing_since: null, disabled_at: null },
  ],
  [
    { id: 'import', state: 'failed', finished_at: '2026-11-30T00:00:01Z' },
    { id: 'old import', state: 'failed', finished_at: '2026-11-30T00:00:00Z' },
    { id: 'good import', state: 'completed', finished_at: '2026-11-30T23:00:00Z' },
  ],
);

test('failures are those of now, and imports of the last day', () => {
  expect(failures.map(({ id }: { id: string }) => id)).toEqual(['failing', 'import', 'stopped', 'domain']);
});

const checks = {
  database: 'up',
  migrations: 'missing',
  change_listener: 'up',
  redis: 'down',
  clickhouse: 'unused',
} as const;
const now = new Date('2026-12-01T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - 1000 * seconds);
const noWork = { now, replicas: [], regions: [], queues: null };
const service = ServiceHealthDto.of({ status: 'ready', checks: { ...checks, replication: 'behind' } }, noWork);

test.each([
  ['no work', 0, null, 0, true],
  ['work that waits for less than an hour', 3, ago(3599), 0, true],
  ['work that waits for an hour', 3, ago(3600), 0, false],
  ['a failure', 0, null, 1, false],
])('the health of a queue with %s', (_, waiting, waitingSince, failed, healthy) => {
  const queue = { name: 'imports' as const, waiting, waitingSince, failed };
  const { queues } = ServiceHealthDto.of({ status: 'ready', checks }, { ...noWork, queues: [queue] });
  expect(queues).toMatchObject([{ waiting, failed, healthy }]);
});

test.each([
  [59, true],
  [60, false],
])('a region whose last contact was %d seconds ago is healthy: %p', (seconds, healthy) => {
  const regions = [{ name: 'sydney', heartbeatAt: ago(seconds) }];
  const { regions: shown } = ServiceHealthDto.of({ status: 'ready', checks }, { ...noWork, regions });
  expect(shown).toMatchObject([{ name: 'sydney', healthy }]);
});

test('replicas are counted by version', () => {
  const versions = ['1.0.0', '1.1.0', '1.1.0'].map((version) => ({ version }));
  expect(countVersions(versions)).toEqual([
    ['1.1.0', 2],
    ['1.0.0', 1],
  ]);
});

test('a dependency that needs somebody to act is not healthy', () => {
  const names = service.dependencies.filter(({ healthy }) => !healthy).map(({ name }) => name);
  expect(names).toEqual(['migrations', 'redis', 'replication']);
  expect(ServiceHealthDto.of({ status: 'draining' }, noWork).dependencies).toEqual([]);
});

test('a runbook is a page of help', () => {
  const place = { page: 'operating/alerts-database', hash: 'signpostimportsfailing' };
  expect(placeOfRunbook(failures[1]!.runbook)).toEqual(place);
});
