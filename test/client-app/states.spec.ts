import * as fc from 'fast-check';
import { type FirstLaunchEvent, newFirstLaunch, next } from '../../clients/app/src/first-launch';
import { tokens } from './service-model';

const hosts = ['go.example.com'];
const token = fc.constantFrom(...Object.values(tokens));
const channels = { referrer: true, clipboard: true };
const now = fc.integer({ min: 0, max: 200 }).map((days) => days * 86_400_000);

const events: fc.Arbitrary<FirstLaunchEvent> = fc.oneof(
  fc.record({
    type: fc.constantFrom('launch' as const, 'again' as const),
    now,
    installedAt: fc.constantFrom(null, 1, 2),
    channels: fc.constant(channels),
    canStore: fc.boolean(),
    launchId: fc.constant('l'),
  }),
  fc.record({
    type: fc.constant('referrer' as const),
    text: fc.oneof(
      fc.constantFrom(null, ''),
      token.map((one) => `deferred_link=${one}`),
    ),
    now,
    hosts: fc.constant(hosts),
    clipboard: fc.boolean(),
    claimId: fc.constant('c'),
  }),
  fc.record({ type: fc.constant('clipboard' as const), holds: fc.constantFrom('url', 'text', 'nothing', 'unknown') }),
  fc.record({
    type: fc.constant('paste' as const),
    text: fc.oneof(
      fc.constantFrom(null, 'text'),
      token.map((one) => `https://go.example.com/a?deferred_link=${one}`),
    ),
    now,
    hosts: fc.constant(hosts),
    claimId: fc.constant('c'),
  }),
  fc.constantFrom<FirstLaunchEvent>({ type: 'decline' }, { type: 'opened', sameLink: false }),
  fc.record({
    type: fc.constant('answer' as const),
    status: fc.constantFrom(null, 200, 400, 404, 429, 500, 503),
    body: fc.constant({ data: { path: 'summer' } }),
    retryAfterMs: fc.constantFrom(0, 60_000),
    now,
  }),
);

test('in every order of events, a claimed link is opened once, and every state can be stored', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 30 }), (sequence) => {
      let state = newFirstLaunch;
      let claims = 0;
      let opened = 0;
      for (const event of sequence) {
        const before = state;
        const [after, effect] = next(before, event);
        expect(JSON.parse(JSON.stringify(after))).toEqual(after);
        // Only an answer claims, and only a state that waits is answered.
        if (after.step === 'claimed' && before.step !== 'claimed') {
          expect([before.step, event.type]).toEqual(['waiting', 'answer']);
          claims++;
        }
        if (event.type === 'opened' && after.opened && !before.opened) opened++;
        if (effect === 'open') expect(after).toMatchObject({ step: 'claimed', opened: false, link: expect.anything() });
        if (effect === 'claim') expect(after).toMatchObject({ step: 'waiting', sending: true, host: 'go.example.com' });
        expect(opened).toBeLessThanOrEqual(claims);
        // A link that was claimed stays until it is opened, unless storage comes from another phone.
        const isOther = (event.type === 'launch' || event.type === 'again') && after.installedAt !== before.installedAt;
        if (before.step === 'claimed' && !before.opened && !isOther)
          expect(after.link).toEqual(event.type === 'opened' ? null : before.link);
        state = after;
      }
    }),
  );
});
