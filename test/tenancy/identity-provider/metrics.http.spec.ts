import { eventually } from '../../support/eventually';
import type { TestService } from '../../support/service';
import { aSignInService } from '../../support/sign-in-service';

const name = 'signpost_identity_provider_keys_age_seconds';

/** Seconds, as a scrape says it; undefined where it says nothing. */
async function age(service: TestService): Promise<number | undefined> {
  const response = await fetch(`http://127.0.0.1:${service.service.metricsPort}/metrics`);
  const [, value] = new RegExp(`^${name} (.+)$`, 'm').exec(await response.text()) ?? [];
  return value === undefined ? undefined : Number(value);
}

test("the age of the provider's keys grows while it is down, and resets after it is back", async () => {
  const on = await aSignInService({ METRICS_PORT: '0' });
  const { provider } = on;
  try {
    await eventually(async () => provider.asked === 1 && (await age(on))! < 1800);
    await provider.goDown();
    on.clock.ahead += 3_600_000;
    expect(await age(on)).toBeGreaterThanOrEqual(3600);
    const { accountId } = await on.anAccount();
    await on.api('get', '/account', provider.token(accountId, {}, { kid: 'unknown' })).expect(401);
    expect(await age(on)).toBeGreaterThanOrEqual(3600);
    await provider.comeBack();
    on.clock.ahead += 11_000;
    await on.api('get', '/account', provider.token(accountId, {}, { kid: 'unknown' })).expect(401);
    expect(await age(on)).toBeLessThan(1800);
  } finally {
    await on.stop();
  }
});
