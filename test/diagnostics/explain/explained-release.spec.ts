import { explainRelease } from '../../../src/diagnostics/explain/explained-release';
import type { LiveRelease, Served } from '../../../src/link-paths/release-guard/release-breaks';

const app = { id: 'a', identifier: 'com.example.shop', teamId: null, fingerprints: ['AA', 'BB'], paths: null };
const served: Served = {
  hosts: ['go.example.com', 'shop.links.test'],
  linkHost: 'go.example.com',
  apps: [
    { ...app, platform: 'android' },
    { ...app, platform: 'ios' },
  ],
};
const release: LiveRelease = {
  platform: 'android',
  appId: 'a',
  version: '1.2.3',
  hosts: ['go.example.com'],
  paths: ['/shop/*'],
  identifier: 'com.example.shop',
  fingerprints: ['BB', 'CC'],
};

test.each<[what: string, changes: Partial<LiveRelease>, host: string | null, path: string, fails: string[]]>([
  ['all is as it was', {}, null, 'shop/a', []],
  ['the version opens all paths', { paths: null }, null, 'x', []],
  ['the version opens all hosts below a domain', { hosts: ['*.links.test'] }, 'shop.links.test', 'shop/', []],
  ['the version names another host', {}, 'shop.links.test', 'shop/', ['host_named']],
  ['the project left the host', { hosts: ['old.test'] }, 'old.test', 'shop/', ['host_served']],
  ['the app has another identifier', { identifier: 'com.example.old' }, null, 'shop/', ['app', 'fingerprint']],
  ['the app is another one', { appId: 'b' }, null, 'shop/', ['app', 'fingerprint', 'app_paths']],
  ['the app lost the certificates', { fingerprints: ['CC'] }, null, 'shop/', ['fingerprint']],
  ['the version opens other paths', {}, null, 'shop', ['version_paths']],
  ['the platform has no certificates', { platform: 'ios', fingerprints: [] }, null, 'shop/', []],
])('%s', (_, changes, host, path, fails) => {
  const examined = { releases: [], served, host };
  const { opens, steps } = explainRelease({ ...release, ...changes }, examined, path, [{ id: 'a' }]);
  expect(steps.filter(({ passed }) => !passed).map(({ check }) => check)).toEqual(fails);
  expect(opens).toBe(fails.length === 0);
});
