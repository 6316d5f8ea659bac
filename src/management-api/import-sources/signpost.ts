import { dateTime } from '../../shared/date-time';
import { text as textRule } from '../../shared/text';
import { referrerParams } from '../dynamic-links/referrer-params';
import * as to from './field-readers';
import { isEmpty, parseJson } from './source-cells';
import { TableSource } from './table-source';

/** Ignores an empty value. Texts of links may be empty, so that the source does not ignore them in general. */
const filled =
  (read: to.Reader): to.Reader =>
  (cell, draft, cells) => {
    if (!isEmpty(cell.value)) read(cell, draft, cells);
  };

/** Takes the id of an app of this project. Apps of other projects are matched by the fields with their summaries. */
const appId =
  (target: 'ios_app_id' | 'android_app_id', summary: string): to.Reader =>
  (cell, draft, cells) => {
    if (cells.has(summary)) return;
    const apps = target === 'ios_app_id' ? draft.context.iosApps : draft.context.androidApps;
    if ([...apps.values()].includes(String(cell.value))) draft.set(target, cell.value, cell);
    else draft.report(cell);
  };

/** Matches an app by the identifier of its summary. */
const app =
  (platform: 'ios' | 'android'): to.Reader =>
  (cell, draft) => {
    const id = to.appOf(draft.context, platform, String(cell.value));
    if (id === undefined) draft.report(cell, platform);
    else draft.set(`${platform}_app_id`, id, cell);
  };

const params: to.Reader = (cell, draft) => {
  const given = parseJson(cell.value);
  if (given === '') return;
  const read = draft.read(referrerParams, cell, given);
  if (read) draft.set('referrer_params', Object.fromEntries(read), cell);
};

/** The name of a source, perhaps one of another version. */
const sourceName = textRule({ min: 1, max: 50 });

const importedFrom: to.Reader = (cell, draft) => {
  const name = draft.read(sourceName, cell);
  if (name !== null) draft.importedFrom(name);
};

/** Takes the time of creation in the first source, which comes before that in Signpost. */
const originalCreatedAt: to.Reader = (cell, draft) => {
  const time = dateTime.tryParse(cell.value);
  if (time) draft.createdAt(time);
  else draft.report(cell);
};

export const signpost = new TableSource(
  'signpost',
  [
    [['custom_path'], filled(to.path)],
    [['full_url'], filled(to.address)],
    [['name'], to.exactText('name')],
    [['desktop_url'], filled(to.url('desktop_url'))],
    [['ios_apps.bundle_id', 'ios_bundle_id'], filled(app('ios'))],
    [['android_apps.package_name', 'android_package_name'], filled(app('android'))],
    [['ios_app_id'], filled(appId('ios_app_id', 'ios_apps.bundle_id'))],
    [['android_app_id'], filled(appId('android_app_id', 'android_apps.package_name'))],
    [['ios_fallback_url'], filled(to.url('ios_fallback_url'))],
    [['android_fallback_url'], filled(to.url('android_fallback_url'))],
    [['ios_deferred_deep_link'], filled(to.flag('ios_deferred_deep_link'))],
    [['social_title'], to.exactText('social_title')],
    [['social_description'], to.exactText('social_description')],
    [['social_image_url'], filled(to.url('social_image_url'))],
    [['referrer_params'], params],
    [['query_forwarding'], filled(to.forwardingMode)],
    [['forwarded_params'], filled(to.forwardedNames)],
    [['external_id'], filled(to.exactText('external_id'))],
    [['title'], to.exactText('title')],
    [['notes'], to.exactText('notes')],
    [['archived'], filled(to.flag('archived'))],
    [['disabled'], filled(to.flag('disabled'))],
    [['tags'], filled(to.tags)],
    [['imported_from'], filled(importedFrom)],
    [['original_created_at'], filled(originalCreatedAt)],
    [['original_clicks'], filled(to.clicks)],
    [['created_at'], filled(originalCreatedAt)],
    [['id'], to.needsNoPlace],
    [['project_id'], to.needsNoPlace],
    [['updated_at'], to.needsNoPlace],
    [['ios_apps.id'], to.needsNoPlace],
    [['ios_apps.name'], to.needsNoPlace],
    [['android_apps.id'], to.needsNoPlace],
    [['android_apps.name'], to.needsNoPlace],
  ],
  {
    required: 'name',
    nested: { ios_apps: {}, android_apps: {} },
    // The export leaves cells without a value empty, so that people have written these texts.
    texts: ['custom_path', 'name', 'title', 'notes', 'social_title', 'social_description'],
    // CSV has no other form for null.
    isEmpty: (value, isCsv) => value === null || value === undefined || (value === '' && isCsv),
  },
);
