import { load } from './load';

const { isSameApp } = load('pages/apps/stored-app');
const { isSameSettings } = load('pages/project-settings/stored-settings');
const { emptyLink, isSavedAs, isUndoable } = load('pages/link/link-values');

const app = { name: 'Shop', paths: ['/a/*'], shared_credentials: false };

describe('an app is found as it was sent, with', () => {
  test.each<[what: string, sent: object, stored: object]>([
    ['fingerprints in lower case', { sha_fingerprints: 'ab:cd\n0e:0f' }, { sha_fingerprints: 'AB:CD\n0E:0F' }],
    ['fingerprints between commas', { sha_fingerprints: ' AB:CD, 0E:0F,\n' }, { sha_fingerprints: 'AB:CD\n0E:0F' }],
    ['a fingerprint twice', { sha_fingerprints: 'AB:CD\nab:cd' }, { sha_fingerprints: 'AB:CD' }],
    ['a path twice', { paths: ['/a/*', '/b', '/a/*'] }, { paths: ['/a/*', '/b'] }],
    ['spaces around its name', { name: ' Shop ' }, { name: 'Shop' }],
  ])('%s', (_, sent, stored) => {
    expect(isSameApp({ ...app, ...sent }, { ...app, ...stored })).toBe(true);
  });

  test.each<[what: string, current: object]>([
    ['another name', { name: 'Store' }],
    ['another fingerprint', { sha_fingerprints: 'AB:CE' }],
    ['other paths', { paths: ['/b'] }],
    ['shared passwords', { shared_credentials: true }],
  ])('and not with %s', (_, current) => {
    const sent = { ...app, sha_fingerprints: 'AB:CD' };
    expect(isSameApp(sent, { ...sent, ...current })).toBe(false);
  });
});

describe('settings are found as they were sent, with', () => {
  const settings = (...hosts: string[]) => ({
    name: 'Shop',
    subdomain: 'shop',
    long_link_destinations: hosts,
    root_url: '',
    not_found_url: '',
    expired_url: '',
    query_forwarding: 'all' as const,
    forwarded_params: [],
    allowed_schemes: [] as string[],
    destination_hosts: [],
  });

  test.each<[sent: string[], stored: string[]]>([
    [['Shop.Example.com'], ['shop.example.com']],
    [['bücher.example'], ['xn--bcher-kva.example']],
    [['*.Bücher.example:8443'], ['*.xn--bcher-kva.example:8443']],
    [['shop.example.com.'], ['shop.example.com']],
    [['shop.example.com:443'], ['shop.example.com:443']],
    [['a.example', 'A.example'], ['a.example']],
  ])('%j', (sent, stored) => {
    expect(isSameSettings(settings(...sent), settings(...stored))).toBe(true);
  });

  test.each<[sent: string[], stored: string[], isSame: boolean]>([
    [['Mailto:', ' shop:// ', 'tel', 'tel'], ['mailto', 'shop', 'tel'], true],
    [['mailto'], ['tel'], false],
    [['mailto'], [], false],
  ])('the schemes %j, found as %j: %j', (sent, stored, isSame) => {
    const [typed, current] = [sent, stored].map((allowed_schemes) => ({ ...settings(), allowed_schemes }));
    expect(isSameSettings(typed!, current!)).toBe(isSame);
  });

  test.each<[sent: string[], current: string[]]>([
    [['a.example'], ['b.example']],
    [['a.example'], ['*.a.example']],
    [['a.example:1'], ['a.example:2']],
    [['a.example'], []],
  ])('%j, and not with %j', (sent, current) => {
    expect(isSameSettings(settings(...sent), settings(...current))).toBe(false);
  });
});

describe('the password of a link', () => {
  const aLink = (password: string | null) => ({ ...emptyLink, name: 'Sale', password });

  test.each<[sent: string | null, stored: string | null, isSaved: boolean]>([
    [null, null, true],
    ['', '', true],
    [null, '', false],
    ['', null, false],
    // It may be that of somebody else.
    ['secret', '', false],
  ])('sent as %j and shown as %j is saved: %j', (sent, stored, isSaved) => {
    expect(isSavedAs(aLink(sent), aLink(stored))).toBe(isSaved);
  });

  test.each<[replaced: string | null, sent: string | null, hasUndo: boolean]>([
    [null, null, true],
    [null, 'secret', true],
    ['', '', true],
    ['', null, false],
    ['', 'secret', false],
  ])('%j that was replaced by %j comes back by an undo: %j', (replaced, sent, hasUndo) => {
    expect(isUndoable(aLink(replaced), aLink(sent))).toBe(hasUndo);
  });
});
