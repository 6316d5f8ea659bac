import { runInThisContext } from 'node:vm';
import { createSignpost, type Platform, type Signpost } from '../../clients/app/src/index';
import { bundleOf } from './bundle';
import { ServiceModel, tokens } from './service-model';

/** Loads an adapter with fakes of its packages, whose types packed-package.long.spec.ts compares with the real ones. */
async function load<T>(file: string, fakes: Record<string, object>): Promise<T> {
  const code = await bundleOf(file, { format: 'cjs', external: Object.keys(fakes) });
  const module = { exports: {} };
  const run = runInThisContext(`(function (module, exports, require) {${code}})`) as (...values: unknown[]) => void;
  run(module, module.exports, (name: string) => fakes[name]);
  return module.exports as T;
}

const linking = {
  getInitialURL: async () => null,
  addEventListener: (_: string, listener: (event: { url: string }) => void) => {
    emit = (url) => listener({ url });
    return { remove: () => (emit = () => {}) };
  },
};
let emit: (url: string) => void = () => {};

const copied = `https://go.example.com/summer?deferred_link=${tokens.T}`;
const clipboard = { url: true, text: true, read: copied, reads: 0, button: true };
const referrer = { value: `deferred_link=${tokens.T}` as string | null, code: undefined as number | undefined };
beforeEach(() => {
  Object.assign(clipboard, { url: true, text: true, read: copied, reads: 0, button: true });
  Object.assign(referrer, { value: `deferred_link=${tokens.T}`, code: undefined });
});
const read = () => (clipboard.reads++, clipboard.read);

const expoFakes = (system: string) => ({
  'expo-application': {
    applicationId: 'com.example.shop',
    nativeApplicationVersion: '3.2.1',
    nativeBuildVersion: '412',
    getInstallationTimeAsync: async () => new Date(1),
    getInstallReferrerAsync: async () => {
      if (referrer.value === null) throw new Error('ERR_APPLICATION_INSTALL_REFERRER');
      return referrer.value;
    },
  },
  'expo-clipboard': {
    hasUrlAsync: async () => clipboard.url,
    hasStringAsync: async () => clipboard.text,
    getStringAsync: async () => read(),
    get isPasteButtonAvailable() {
      return clipboard.button;
    },
    ClipboardPasteButton: 'paste-button',
  },
  'expo-linking': linking,
  react: { createElement: (type: unknown, props: object) => ({ type, props }) },
  'react-native': { Platform: { OS: system } },
});
const expoOn = async (system: string) => (await load<{ expo: () => Platform }>('expo.ts', expoFakes(system))).expo();

const bareOn = async (system: string) =>
  (
    await load<{ reactNative: (app: object) => Platform }>('react-native.ts', {
      'react-native': { Platform: { OS: system }, Linking: linking },
      '@react-native-clipboard/clipboard': {
        hasWebURL: async () => clipboard.url,
        getString: async () => read(),
      },
      'react-native-play-install-referrer': {
        PlayInstallReferrer: {
          getInstallReferrerInfo: (callback: (info: object | null, error: object | null) => void) =>
            referrer.value === null
              ? callback(null, { message: 'failed', responseCode: referrer.code })
              : callback({ installReferrer: referrer.value }, null),
        },
      },
    })
  ).reactNative({ id: 'com.example.shop', version: '3.2.1', build: '412' });

const capacitorOn = async (system: string) =>
  (
    await load<{ capacitor: (options: object) => Promise<Platform> }>('capacitor.ts', {
      '@capacitor/app': {
        App: {
          getInfo: async () => ({ id: 'com.example.shop', version: '3.2.1', build: '412' }),
          getLaunchUrl: async () => undefined,
          addListener: async (_: string, listener: (event: { url: string }) => void) => {
            emit = (url) => listener({ url });
            return { remove: async () => (emit = () => {}) };
          },
        },
      },
      '@capacitor/clipboard': { Clipboard: { read: async () => ({ value: read() }) } },
    })
  ).capacitor({ system, hasUrl: async () => clipboard.url, referrer: async () => referrer.value });

const launch = (platform: Platform, service = new ServiceModel()): Signpost => {
  const stored = new Map<string, string>();
  return createSignpost({
    ...platform,
    hosts: ['go.example.com'],
    storage: { getItem: (key) => stored.get(key), setItem: (key, text) => stored.set(key, text) },
    fetch: (url, init) => service.fetch(url, init),
  });
};

const frameworks = { Expo: expoOn, 'React Native': bareOn, Capacitor: capacitorOn };

describe.each(Object.entries(frameworks))('%s', (_, on) => {
  test('names the app, and delivers and ends events', async () => {
    const app = { version: '3.2.1', build: '412' };
    expect((await on('ios')).app).toEqual({ bundleId: 'com.example.shop', ...app });
    const android = await on('android');
    expect(android.app).toEqual({ packageName: 'com.example.shop', ...app });
    expect((await on('web')).app).toBeNull();
    const urls: string[] = [];
    expect(await android.links.getInitialURL()).toBeNull();
    const end = android.links.subscribe((url) => urls.push(url));
    emit('https://go.example.com/summer');
    end();
    await Promise.resolve();
    emit('https://go.example.com/winter');
    expect(urls).toEqual(['https://go.example.com/summer']);
  });

  test('claims the token of the referrer on Android, and never looks at the clipboard', async () => {
    expect(await launch(await on('android')).claimDeferred()).toEqual({ status: 'claimed', reason: 'answered' });
    referrer.value = null;
    expect(await launch(await on('android')).claimDeferred()).toMatchObject({ reason: 'referrer-pending' });
    expect(clipboard.reads).toBe(0);
  });

  test('reads the clipboard on iOS only after the person agreed', async () => {
    const app = launch(await on('ios'));
    expect(await app.claimDeferred()).toEqual({ status: 'ask', reason: 'clipboard-has-url' });
    expect(clipboard.reads).toBe(0);
    expect(await app.claimDeferred({ paste: true })).toEqual({ status: 'claimed', reason: 'answered' });
    expect(clipboard.reads).toBe(1);
  });

  test('reads nothing on iOS if the system sees no web URL', async () => {
    Object.assign(clipboard, { url: false, button: false });
    const app = launch(await on('ios'));
    expect(await app.claimDeferred()).toMatchObject({ status: 'none' });
    await app.claimDeferred({ paste: true });
    expect(clipboard.reads).toBe(0);
  });
});

test('React Native: a phone without Play ends the search', async () => {
  Object.assign(referrer, { value: null, code: 2 });
  expect(await launch(await bareOn('android')).claimDeferred()).toMatchObject({ reason: 'referrer-without-token' });
});

test('Expo: copied text leads to the paste button, and its press to the claim', async () => {
  clipboard.url = false;
  const fakes = expoFakes('ios');
  const sdk = await load<{
    expo: () => Platform;
    PasteButton: (
      props: object,
    ) => { props: { onPress: (data: object) => void; acceptedContentTypes: string[] } } | null;
  }>('expo.ts', fakes);
  const app = launch(sdk.expo());
  expect(await app.claimDeferred()).toEqual({ status: 'ask', reason: 'clipboard-has-text' });
  const result = await new Promise((onResult) => {
    const button = sdk.PasteButton({ signpost: app, onResult })!;
    expect(button.props.acceptedContentTypes).toEqual(['url', 'plain-text']);
    button.props.onPress({ type: 'image' });
    button.props.onPress({ type: 'text', text: copied });
  });
  expect(result).toEqual({ status: 'claimed', reason: 'answered' });
  expect(clipboard.reads).toBe(0);
  clipboard.button = false;
  expect(sdk.PasteButton({ signpost: app })).toBeNull();
});
