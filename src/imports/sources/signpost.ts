import { dateTime } from '../../shared/date-time';
import { text as textRule } from '../../shared/text';
import { referrerParams } from '../../links/dynamic-links/referrer-params';
import { csvReader } from './csv';
import * as to from './field-readers';
import { isEmpty, parseJson } from './source-cells';
import { ignored, type SourceField, TableSource } from './table-source';

/** Ignores an empty value. Texts of links may be empty, so that the source does not ignore them in general. */
const filled =
  (read: to.Reader): to.Reader =>
  (cell, draft, cells) => {
    if (!isEmpty(cell.value)) read(cell, draft, cells);
  };

/** Returns fields that are columns of the source `csv`, too. */
const sameAsCsv = (...names: string[]): SourceField[] => names.map((name) => [[name], filled(csvReader(name)!)]);

/** Takes the id of an app of this project. Apps of other projects are matched by the fields with their summaries. */
const appId =
  (platform: 'ios' | 'android'): to.Reader =>
  (cell, draft) => {
    const apps = draft.context[`${platform}Apps`];
    if ([...apps.values()].includes(String(cell.value))) draft.set(`${platform}_app_id`, cell.value, cell);
    else draft.report(cell);
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
  if (name !== null) draft.importedFrom = name;
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
    [['ios_apps.bundle_id', 'ios_bundle_id'], filled(to.app('ios'))],
    [['android_apps.package_name', 'android_package_name'], filled(to.app('android'))],
    [['ios_app_id'], filled(to.unless('ios_apps.bundle_id', appId('ios')))],
    [['android_app_id'], filled(to.unless('android_apps.package_name', appId('android')))],
    ...sameAsCsv('ios_fallback_url', 'android_fallback_url', 'ios_deferred_deep_link'),
    [['social_title'], to.exactText('social_title')],
    [['social_description'], to.exactText('social_description')],
    ...sameAsCsv('social_image_url'),
    [['referrer_params'], params],
    ...sameAsCsv('query_forwarding', 'forwarded_params', 'external_id'),
    [['title'], to.exactText('title')],
    [['notes'], to.exactText('notes')],
    ...sameAsCsv('archived', 'disabled', 'tags'),
    [['imported_from'], filled(importedFrom)],
    [['original_created_at'], filled(originalCreatedAt)],
    ...sameAsCsv('original_clicks'),
    [['created_at'], filled(originalCreatedAt)],
    ...ignored('id', 'project_id', 'updated_at'),
    ...ignored('ios_apps.id', 'ios_apps.name', 'android_apps.id', 'android_apps.name'),
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
