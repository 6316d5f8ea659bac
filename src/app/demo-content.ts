import type { LinkPath } from '../link-paths/paths/custom-path';
import type { NewDynamicLink } from '../links/dynamic-links/dynamic-link';
import type { DestinationUrl } from '../shared/destination-url';
import type { ReferrerParams } from '../shared/referrer-params';
import type { AppFields } from '../links/apps/app';

export const demoIosApp: AppFields<'ios'> = {
  name: 'Alpine Shop',
  bundleId: 'com.example.alpine',
  teamId: 'A1B2C3D4E5',
  appstoreId: '1234567890',
  appClipBundleId: null,
  paths: null,
  sharedCredentials: false,
};

export const demoAndroidApp: AppFields<'android'> = {
  name: 'Alpine Shop',
  packageName: 'com.example.alpine',
  shaFingerprints: [
    '14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5',
    '9C:2A:11:5F:7B:E4:08:D3:66:40:AA:1E:5D:93:27:C8:B0:4F:72:E1:3A:8D:59:06:FB:C7:21:94:6E:D5:30:8B',
  ],
  androidStores: null,
  paths: null,
  sharedCredentials: false,
};

export interface DemoLink {
  link: NewDynamicLink & { customPath: LinkPath };
  usesApps: boolean;
  weight: number;
  qrShare: number;
  shortSlugs: LinkPath[];
}

const web = (path: string): DestinationUrl => `https://shop.example.com/${path}` as DestinationUrl;
const campaign = (source: string, medium: string, name: string): ReferrerParams => [
  ['utm_source', source],
  ['utm_medium', medium],
  ['utm_campaign', name],
];

function demoLink(
  path: string,
  name: string,
  weight: number,
  more: Partial<NewDynamicLink> & { apps?: boolean; qrShare?: number; shortSlugs?: string[] } = {},
): DemoLink {
  const { apps = false, qrShare = 0.02, shortSlugs = [], ...fields } = more;
  return {
    link: { name, customPath: path as LinkPath, desktopUrl: web(path), ...fields },
    usesApps: apps,
    weight,
    qrShare,
    shortSlugs: shortSlugs as LinkPath[],
  };
}

export const demoLinks: DemoLink[] = [
  demoLink('winter-sale', 'Winter sale', 30, {
    tags: ['winter', 'sale'],
    apps: true,
    socialTitle: 'Winter sale: up to 50 % off',
    socialDescription: 'Skis, boots and jackets at half the price, until Sunday.',
    socialImageUrl: web('images/winter-sale.jpg'),
    referrerParams: campaign('newsletter', 'email', 'winter'),
    shortSlugs: ['winter', 'sale24'],
  }),
  demoLink('get-app', 'Get the app', 22, {
    tags: ['app'],
    apps: true,
    iosDeferredDeepLink: true,
    socialTitle: 'Alpine Shop for your phone',
    socialDescription: 'Order in two taps, and collect in the store.',
  }),
  demoLink('poster-station', 'Poster at the main station', 14, {
    tags: ['winter', 'print'],
    qrShare: 0.85,
    referrerParams: campaign('poster', 'print', 'winter'),
    shortSlugs: ['station'],
  }),
  demoLink('menu', 'Menu of the mountain hut', 11, { tags: ['print'], qrShare: 0.95 }),
  demoLink('product/ski-boots', 'Product: ski boots', 9, { apps: true, socialTitle: 'Ski boots that fit' }),
  demoLink('instagram', 'Link in the Instagram profile', 8, { apps: true }),
  demoLink('invite', 'Invite a friend', 7, { tags: ['app'], apps: true, socialTitle: 'A friend gives you 10 %' }),
  demoLink('stores', 'Find a store', 6),
  demoLink('gift-card', 'Gift cards', 5, { socialTitle: 'The gift that always fits' }),
  demoLink('size-guide', 'Size guide', 4),
  demoLink('package-insert', 'Leaflet in the parcel', 4, { qrShare: 0.7 }),
  demoLink('feedback', 'Feedback after the purchase', 3),
  demoLink('webinar', 'Webinar: waxing skis', 2),
  demoLink('careers', 'Careers', 2),
];
