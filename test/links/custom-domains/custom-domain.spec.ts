import { CustomDomain, type DomainCheck } from '../../../src/links/custom-domains/custom-domain';
import type { Hostname } from '../../../src/links/custom-domains/hostname';

const hour = 3_600_000;
const day = 24 * hour;
const settings = { recheckIntervalMs: day, graceMs: 7 * day };
const at = (ahead: number): Date => new Date(Date.UTC(2026, 5, 10) + ahead);
const now = at(0);

const pending = () => CustomDomain.claim('project', 'links.example.com' as Hostname) as CustomDomain;
const aDomain = (fields: Partial<CustomDomain>): CustomDomain => Object.assign(pending(), fields);
const verified = (fields: Partial<CustomDomain> = {}) => aDomain({ verifiedAt: at(-30 * day), ...fields });

describe('a claim', () => {
  test('is pending, and names the record that proves it', () => {
    const domain = pending();
    expect(domain).toMatchObject({ projectId: 'project', active: false, verifiedAt: null, nextCheckAt: null });
    expect(domain.status).toBe('pending');
    expect(domain.record).toEqual({
      name: '_link-domain-challenge.links.example.com',
      value: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  });

  test.each([
    [['mine'], true],
    [['other', 'mine'], true],
    [['Mine', 'mine '], false],
    [[], false],
    [null, false],
  ])('is verified by %j: %s', (texts, verified) => {
    expect(aDomain({ challenge: 'mine' }).isVerifiedBy(texts)).toBe(verified);
  });
});

describe('a proof', () => {
  const checked = { checkedAt: now, recordMissingSince: null, nextCheckAt: at(day) };

  test('verifies a pending domain', () => {
    expect(pending().afterVerification(now, at(day))).toEqual({ ...checked, verifiedAt: now });
  });

  test('of a verified domain keeps its first date', () => {
    expect(verified().afterVerification(now, at(day))).toEqual(checked);
  });
});

describe('activation', () => {
  test('of a verified domain changes its status', () => {
    const domain = verified();
    expect(domain.status).toBe('verified');
    const activated = Object.assign(domain, domain.withUse({ active: true }));
    expect(activated.status).toBe('active');
    expect(Object.assign(activated, activated.withUse({ active: false })).status).toBe('verified');
  });

  test.each([
    [{ openHost: true }, {}, { active: false, openHost: true }],
    [{ active: true }, { openHost: true }, { active: true, openHost: false }],
    [{ active: false }, { active: true }, { active: false, openHost: false }],
    [{ active: false, openHost: true }, { active: true }, { active: false, openHost: true }],
    [{ openHost: false }, { active: true }, { active: true, openHost: false }],
    [{}, { openHost: true }, { active: false, openHost: true }],
  ])('by %j of a domain with %j gives %j', (wanted, state, use) => {
    expect(verified(state).withUse(wanted)).toEqual(use);
  });

  test.each([
    [{ openHost: true }, { active: true }],
    [{ active: true, openHost: true }, {}],
  ])('by %j of a domain with %j is refused, because pages need another host', (wanted, state) => {
    const message = 'open_host must be false for the active domain, because apps open from another host only';
    const details = [{ code: 'invalid_format', path: ['open_host'], message }];
    expect(() => verified(state).withUse(wanted)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', details }));
  });

  test('of a pending domain is refused', () => {
    expect(() => pending().withUse({ openHost: true })).toThrow('verify it before you use it');
    expect(pending().withUse({ active: false })).toEqual({ active: false, openHost: false });
    expect(() => pending().withUse({ active: true })).toThrow(
      'links.example.com is not verified; verify it before you use it',
    );
  });
});

describe('a check', () => {
  const checked = (changes: object) => ({ checkedAt: now, nextCheckAt: at(day), ...changes });
  const back = checked({ recordMissingSince: null });
  const gone = checked({ recordMissingSince: now });
  const lost = { nextCheckAt: null, verifiedAt: null, active: false, openHost: false };

  test.each<[what: string, string[] | null, missingSince: Date | null, DomainCheck['result'], changes: object]>([
    ['the record stands', ['other', 'mine'], null, 'found', back],
    ['the record is back', ['mine'], at(-8 * day), 'found', back],
    ['the record is gone', [], null, 'missing', gone],
    ['the record says something else', ['Mine', 'mine ', 'theirs'], null, 'missing', gone],
    [
      'the record is still gone: the next check is not after the grace time',
      [],
      at(-6.5 * day),
      'missing',
      checked({ recordMissingSince: at(-6.5 * day), nextCheckAt: at(day / 2) }),
    ],
    ['the grace time is over', [], at(-7 * day), 'lost', checked({ recordMissingSince: at(-7 * day), ...lost })],
    ['nobody answers', null, null, 'unanswered', { nextCheckAt: at(hour) }],
    ['nobody answers after the grace time', null, at(-30 * day), 'unanswered', { nextCheckAt: at(hour) }],
  ])('%s', (_, texts, recordMissingSince, result, changes) => {
    const domain = verified({ challenge: 'mine', recordMissingSince });
    expect(domain.afterCheck(texts, now, settings)).toEqual({ result, changes });
  });

  test('without grace time a missing record ends the verification at once', () => {
    const changes = { verifiedAt: null, nextCheckAt: null };
    expect(verified().afterCheck([], now, { ...settings, graceMs: 0 })).toMatchObject({ result: 'lost', changes });
  });
});
