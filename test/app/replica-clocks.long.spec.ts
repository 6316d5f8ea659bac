import { ApiKeysService } from '../../src/tenancy/api-keys/api-keys.service';
import { LastUseRecorder } from '../../src/tenancy/api-keys/last-use-recorder';
import { DomainChecks } from '../../src/links/custom-domains/domain-checks';
import { claim, iosToken, aCampaign, untilStored } from '../link-traffic/deferred-links/claim-link';
import { ChangeListener } from '../../src/platform/change-notifications/change-listener';
import { aClick, anOpenedLink, clicksOn } from '../clicks/recording/counting';
import {
  aCustomDomain,
  aDynamicLink,
  aHostname,
  aProject,
  aVerifiedDomain,
  dataAt,
  type ProjectBody,
  unique,
} from '../support/builders';
import { createDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { aService, type TestService } from '../support/service';
import { fixture, dnsFixture, accountFixture, projectFixture } from '../support/fixtures';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const database = fixture(() => createDatabase());
const dns = dnsFixture();

/** Starts a replica whose clock is ahead of that of the database. */
const aReplica = (aheadMs: number): TestService =>
  fixture(async () => {
    const settings = { DNS_RESOLVERS: dns.address, SUBDOMAIN_HOLD_DAYS: '30', CUSTOM_DOMAINS_PER_PROJECT: '100' };
    const service = await aService(settings, database);
    service.clock.ahead = aheadMs;
    return service;
  });
const ahead = aReplica(5 * minuteMs);
const behind = aReplica(-5 * minuteMs);
const owner = accountFixture(ahead);
const stranger = accountFixture(ahead);
const project = projectFixture(ahead, owner);
const campaign = fixture(() => aCampaign(ahead, {}, owner.key));

const sweep = (on: TestService): Promise<void> => on.service.app.get(DomainChecks).sweep();
const isVerified = async (id: string): Promise<boolean> =>
  (await database.query('SELECT FROM custom_domains WHERE id = $1 AND verified_at IS NOT NULL', [id])).length > 0;

/** Creates a domain that another project wants to verify. Returns whether it is refused. */
async function wantedDomain(on: TestService, leave: (id: string, of: ProjectBody) => Promise<unknown>) {
  const hostname = aHostname();
  const theirs = await aProject(on, owner.key);
  const { id, verification_record: kept } = await aVerifiedDomain(on, dns, owner.key, theirs.id, { hostname });
  const mine = await aProject(on, stranger.key);
  const wanted = await aCustomDomain(on, stranger.key, mine.id, hostname);
  await leave(id, theirs);
  return async (other: TestService, isKept: boolean) => {
    const texts = [wanted.verification_record.value, ...(isKept ? [kept.value] : [])];
    dns.publish(kept.name, ...texts);
    const path = `/projects/${mine.id}/custom-domains/${wanted.id}/verify`;
    return (await other.api('post', path, stranger.key)).status === 409;
  };
}

interface Kind {
  lastsMs: number;
  /** Makes what it created so many milliseconds older. */
  age: string;
  /** Creates something that lasts for a time. Returns a function that tells whether it still does, at another replica. */
  create: (on: TestService) => Promise<(other: TestService) => Promise<boolean>>;
}

const passed = "$1 * interval '1 millisecond'";

const kinds: Record<string, Kind> = {
  'a deferred link': {
    lastsMs: 7 * dayMs,
    age: `UPDATE deferred_links SET clicked_at = clicked_at - ${passed}, expires_at = expires_at - ${passed}`,
    create: async (on) => {
      await database.query('DELETE FROM deferred_links');
      const token = await iosToken(on, campaign);
      await untilStored(on, 1);
      return async (other) => (await claim(other, campaign.project.subdomain, token)).status === 200;
    },
  },
  'an API key': {
    lastsMs: 60 * minuteMs,
    age: `UPDATE api_keys SET expires_at = expires_at - ${passed}`,
    create: async (on) => {
      const [row] = await database.query<{ at: Date }>("SELECT now() + interval '1 hour' AS at");
      const { secret } = await on.service.app.get(ApiKeysService).create(owner.accountId, 'Short', row!.at);
      return async (other) => (await other.api('get', '/projects', secret)).status === 200;
    },
  },
  'an idempotent answer': {
    lastsMs: dayMs,
    age: `UPDATE idempotent_answers SET answered_at = answered_at - ${passed}`,
    create: async (on) => {
      const [key, subdomain] = [unique('key'), unique('s')];
      const send = (at: TestService) =>
        at.api('post', '/projects', owner.key).set('Idempotency-Key', key).send({ name: 'One', subdomain });
      await send(on).expect(201);
      return async (other) => (await send(other)).status === 201;
    },
  },
  'a held subdomain': {
    lastsMs: 30 * dayMs,
    age: `UPDATE subdomains SET left_at = left_at - ${passed} WHERE project_id IS NULL`,
    create: async (on) => {
      const { id, subdomain } = await aProject(on, owner.key);
      await on.api('delete', `/projects/${id}`, owner.key).expect(200);
      return async (other) => {
        const body = { name: 'Mine', subdomain };
        return (await other.api('post', '/projects', stranger.key).send(body)).status === 409;
      };
    },
  },
  'a held domain': {
    lastsMs: 30 * dayMs,
    age: `UPDATE held_domains SET left_at = left_at - ${passed}`,
    create: async (on) => {
      const isRefused = await wantedDomain(on, (_, { id }) =>
        on.api('delete', `/projects/${id}`, owner.key).expect(200),
      );
      return (other) => isRefused(other, true);
    },
  },
  'a domain without its record, which another project verifies': {
    lastsMs: 7 * dayMs,
    age: `UPDATE custom_domains SET record_missing_since = record_missing_since - ${passed}`,
    create: async (on) => {
      const isRefused = await wantedDomain(on, (id) =>
        database.query('UPDATE custom_domains SET record_missing_since = now() WHERE id = $1', [id]),
      );
      return (other) => isRefused(other, false);
    },
  },
  'a domain without its record, which is checked': {
    lastsMs: 7 * dayMs,
    age: `UPDATE custom_domains SET record_missing_since = record_missing_since - ${passed}`,
    create: async (on) => {
      const { id, verification_record: record } = await aVerifiedDomain(on, dns, owner.key, project.id);
      dns.remove(record.name);
      await database.query(
        "UPDATE custom_domains SET record_missing_since = now(), next_check_at = now() - interval '1 hour' WHERE id = $1",
        [id],
      );
      return async (other) => {
        await sweep(other);
        return isVerified(id);
      };
    },
  },
  'the pause between two checks of a domain': {
    lastsMs: dayMs,
    age: `UPDATE custom_domains SET next_check_at = next_check_at - ${passed}`,
    create: async (on) => {
      const { verification_record: record } = await aVerifiedDomain(on, dns, owner.key, project.id);
      const queries = () => dns.queriedNames.filter((name) => name === record.name).length;
      const before = queries();
      return async (other) => {
        await sweep(other);
        return queries() === before;
      };
    },
  },
};

describe.each([
  ['created ahead and used behind', () => [ahead, behind] as const],
  ['created behind and used ahead', () => [behind, ahead] as const],
])('%s:', (_, replicas) => {
  // The margins are shorter than the difference of the clocks, and cover the duration of the test.
  test.each(Object.entries(kinds))('%s lasts as long as the database says', async (_kind, { lastsMs, age, create }) => {
    const [one, other] = replicas();
    const inTime = await create(one);
    await database.query(age, [lastsMs - 2 * minuteMs]);
    expect(await inTime(other)).toBe(true);
    const tooLate = await create(one);
    await database.query(age, [lastsMs + 2 * minuteMs]);
    expect(await tooLate(other)).toBe(false);
  });
});

test('replicas store the times of the database', async () => {
  for (const on of [ahead, behind]) {
    await on.api('get', '/projects', owner.key).expect(200);
    await on.service.app.get(LastUseRecorder, { strict: false }).flush();
    const keys = on.service.app.get(ApiKeysService);
    const { id } = await keys.create(owner.accountId, 'Old', null);
    await keys.revoke(id);
    const domain = await aVerifiedDomain(on, dns, owner.key, project.id);
    await database.query('DELETE FROM deferred_links');
    await iosToken(on, campaign);
    await untilStored(on, 1);
    const [{ differences }] = (await database.query<{ differences: number[] }>(
      `SELECT array_agg(abs(extract(epoch FROM now() - at)))::float8[] AS differences FROM (
         SELECT last_used_at FROM api_keys WHERE id = $1 UNION ALL SELECT revoked_at FROM api_keys WHERE id = $2
         UNION ALL SELECT unnest(ARRAY[verified_at, checked_at, next_check_at - interval '1 day']) FROM custom_domains WHERE id = $3
         UNION ALL SELECT unnest(ARRAY[clicked_at, expires_at - interval '7 days']) FROM deferred_links
       ) AS times (at)`,
      [owner.apiKeyId, id, domain.id],
    )) as [{ differences: number[] }];
    expect(differences).toHaveLength(7);
    expect(differences.filter((seconds) => seconds > 120)).toEqual([]);
  }
});

test('replicas list the same clicks by default', async () => {
  const { id } = await aProject(ahead, owner.key);
  const [row] = await database.query<{ now: Date }>('SELECT now()');
  const clicks = clicksOn(database);
  const ages = [-3 * minuteMs, minuteMs, dayMs - 3 * minuteMs, dayMs + 3 * minuteMs];
  await clicks.write(ages.map((age) => aClick({ at: +row!.now - age, projectId: id, link: anOpenedLink() })));
  await clicks.close();
  for (const on of [ahead, behind]) {
    const listed = await dataAt<{ clicked_at: string }[]>(on, owner.key, `/projects/${id}/clicks`);
    expect(listed.map(({ clicked_at: at }) => +row!.now - Date.parse(at))).toEqual([ages[1], ages[2]]);
  }
});

test('replicas record clicks at the time of the database', async () => {
  const clickTimes = async () => {
    const path = `/projects/${campaign.project.id}/clicks?include_bots=true&from=${from.toISOString()}&to=${to.toISOString()}`;
    const clicks = await dataAt<{ clicked_at: string; dynamic_link_id: string }[]>(ahead, owner.key, path);
    return clicks.filter(({ dynamic_link_id: id }) => id === link.id).map(({ clicked_at: at }) => Date.parse(at));
  };
  const link = await aDynamicLink(ahead, owner.key, campaign.project.id, { custom_path: 'counted' });
  const [row] = await database.query<{ now: Date }>('SELECT now()');
  const [from, to] = [new Date(+row!.now - dayMs), new Date(+row!.now + dayMs)];
  for (const on of [ahead, behind]) {
    await eventually(() => on.service.app.get(ChangeListener).clockDifferenceMs !== 0);
    await on.visit(campaign.project.subdomain, `/${link.custom_path}`);
  }
  const times = await eventually(async () => {
    const all = await clickTimes();
    return all.length === 2 && all;
  });
  expect(times.filter((time) => Math.abs(time - +row!.now) > 2 * minuteMs)).toEqual([]);
});
