import type { AndroidApp, IosApp } from '../../../src/links/apps/app';
import { deviceChecks } from '../../../src/diagnostics/association-health/device-checks';
import type { CheckedHost } from '../../../src/diagnostics/association-health/host-checks';

const ios = [{ sharedCredentials: false, appClipBundleId: null } as IosApp];
const android = [{ packageName: 'com.example.shop' } as AndroidApp];
const hostOf = (origin: string, answers = true): CheckedHost =>
  ({ origin, host: new URL(origin).host, answers }) as CheckedHost;

const hostLines = (hosts: CheckedHost[]): [string, boolean][] =>
  deviceChecks(hosts, ios, android)
    .filter(({ kind }) => kind !== 'command')
    .map(({ text, isExample }) => [text, isExample]);

const example: [string, boolean][] = [
  ['applinks:links.example.com', true],
  ['applinks:links.example.com?mode=developer', true],
  ['<data android:scheme="https" android:host="links.example.com" />', true],
];

// Apps can name only hosts that answer on https without a port.
test.each<[string, CheckedHost[]]>([
  ['http with a port', [hostOf('http://demo.localhost:3000')]],
  ['http without a port', [hostOf('http://demo.go.example.com')]],
  ['https with a port', [hostOf('https://demo.go.example.com:8443')]],
  ['a domain that is not verified', [hostOf('https://links.example.org', false)]],
])('a project whose only host is %s gets lines of an example', (_, hosts) => {
  expect(hostLines(hosts)).toEqual(example);
});

test('a project with a host for apps gets no example', () => {
  expect(hostLines([hostOf('http://demo.localhost:3000'), hostOf('https://demo.go.example.com')])).toEqual([
    ['applinks:demo.go.example.com', false],
    ['applinks:demo.go.example.com?mode=developer', false],
    ['<data android:scheme="https" android:host="demo.go.example.com" />', false],
  ]);
});
