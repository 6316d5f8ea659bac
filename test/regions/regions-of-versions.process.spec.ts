/** @needs pg_basebackup */
import { startDebianPostgres } from '../support/debian-postgres';
import { eventually } from '../support/eventually';
import { endAllPrograms } from '../support/process';
import { TwoRegions } from '../support/region';

// A primary and its region may have different versions of PostgreSQL (docs/operating/regions.md).

const enoughMs = 120_000;

afterAll(endAllPrograms);

test.each([
  ['primary', { primary: startDebianPostgres }],
  ['region', { region: startDebianPostgres }],
  ['primary and region', { primary: startDebianPostgres, region: startDebianPostgres }],
])('an older PostgreSQL as %s follows, heals after a cut, is rebuilt, and is removed', async (_, launch) => {
  const on = await TwoRegions.start({}, launch);
  try {
    const project = `/projects/${(await on.api('POST', '/projects', { name: 'Shop', subdomain: 'shop' })).id}`;
    const aLink = (path: string) =>
      on.api('POST', `${project}/links`, { name: path, custom_path: path, desktop_url: `https://example.com/${path}` });
    const serves = (path: string) =>
      eventually(async () => {
        const { headers } = await on.service.ask(`/${path}`, { headers: { Host: 'shop.localhost' } });
        return headers.location === `https://example.com/${path}`;
      }, enoughMs);

    await aLink('copied');
    expect(await on.add()).toMatchObject({ region: { name: 'eu', state: 'added' } });
    await on.serve();
    await serves('copied');
    await aLink('replicated');
    await serves('replicated');

    on.network.cutNetwork();
    await aLink('during');
    await serves('replicated');
    on.network.restoreNetwork();
    await serves('during');

    expect(await on.add('--rebuild')).toMatchObject({ region: { state: 'rebuilt' } });
    await aLink('after');
    await serves('after');
    await on.untilEqual();
    await on.service.stop();
    expect(await on.admin('remove', '--name', 'eu')).toMatchObject({
      region: { undelivered_clicks: 0, slot: 'dropped', subscription: 'dropped' },
    });
  } finally {
    await endAllPrograms();
    await on.remove();
  }
});
