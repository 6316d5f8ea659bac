import { textsOfField } from '../../i18n/field-texts';
import type { MessageKey } from '../../i18n/text';
import { cardTexts, ownTexts } from '../link/link-values';

const groups = {
  address: ['short_url', 'host', 'custom_path', 'desktop_url'],
  about: ['name', ...ownTexts, 'tags', 'external_id', 'archived', 'disabled', 'conversions'],
  apps: [
    'ios_bundle_id',
    'android_package_name',
    'ios_fallback_url',
    'android_fallback_url',
    'ios_deferred_deep_link',
    'app_data',
  ],
  card: [...cardTexts, 'social_image_url'],
  forwarding: ['query_forwarding', 'forwarded_params'],
  rules: ['variants', 'rules', 'template', 'active_from', 'active_until', 'expired_url', 'password', 'click_limit'],
  origin: ['original_created_at', 'original_clicks'],
} as const;

type Group = keyof typeof groups;
export type Target = (typeof groups)[Group][number];

/** Returns the label of a target. Texts, tags and images have that of the form of a link. */
export const labelOfTarget = (target: Target): MessageKey =>
  isOfForm(target) ? textsOfField(target)!.label : `imports.target.${target}`;

type OfForm = (typeof groups)['about' | 'card'][number];
const isOfForm = (target: Target): target is OfForm => ([...groups.about, ...groups.card] as Target[]).includes(target);

/** Fields that a column of the source `csv` can become, in the order of the form. */
export const targetGroups = Object.entries(groups) as [Group, readonly Target[]][];
export const targets: Target[] = targetGroups.flatMap(([, members]) => members);

/** A target with this prefix names a campaign parameter: `referrer_params.utm_source`. */
export const paramPrefix = 'referrer_params.';

/** The service compares names of columns in this form: `Short link`, `short_link` and `shortLink` are one name. */
export const nameKey = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Other names of targets, in the form of `nameKey`, the clearest first. A target takes the first column that no target before it
 * has, so `link` is the destination unless a clearer column is.
 */
export const otherNames: [target: Target, names: string[]][] = [
  ['custom_path', ['path', 'slug', 'backhalf', 'customslug', 'alias', 'shortcode', 'keyword', 'key', 'pfad', 'kürzel']],
  [
    'desktop_url',
    [
      'destinationurl',
      'destination',
      'targeturl',
      'target',
      'longurl',
      'originalurl',
      'redirecturl',
      'webpage',
      'zielurl',
      'zieladresse',
      'ziel',
      'webseite',
      'url',
      'link',
    ],
  ],
  ['short_url', ['shortlink', 'kurzurl', 'kurzlink', 'kurzadresse', 'link']],
  ['host', ['domain', 'hostname']],
  ['name', ['linkname', 'bezeichnung']],
  ['title', ['titel']],
  ['notes', ['note', 'comment', 'comments', 'description', 'notizen', 'notiz', 'kommentar', 'beschreibung']],
  ['tags', ['tag', 'labels', 'label', 'schlagwörter', 'schlagworte']],
  ['external_id', ['id', 'linkid', 'reference', 'externeid']],
  ['ios_bundle_id', ['bundleid', 'iosbundle', 'ibi']],
  ['android_package_name', ['packagename', 'androidpackage', 'package', 'apn', 'paketname']],
  ['ios_fallback_url', ['iosurl', 'iphoneurl', 'ifl']],
  ['android_fallback_url', ['androidurl', 'afl']],
  ['archived', ['isarchived', 'archiviert']],
  ['disabled', ['isdisabled', 'deaktiviert', 'gesperrt']],
  ['conversions', ['trackconversion', 'conversion', 'konversionen']],
  ['social_title', ['ogtitle', 'st']],
  ['social_description', ['ogdescription', 'sd']],
  ['social_image_url', ['socialimage', 'ogimage', 'image', 'imageurl', 'si', 'bild']],
  [
    'original_created_at',
    ['createdat', 'created', 'creationdate', 'datecreated', 'timestamp', 'erstellt', 'erstelltam'],
  ],
  ['original_clicks', ['clicks', 'clickcount', 'visits', 'klicks', 'aufrufe']],
];

/** Columns that name a campaign parameter, in the form of `nameKey`. */
export const paramOf = (key: string): string | null => {
  const name = /^utm(source|medium|campaign|term|content|id)$/.exec(key)?.[1];
  return name === undefined ? null : `${paramPrefix}utm_${name}`;
};
