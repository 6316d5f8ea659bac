import { dateTime } from '../../shared/date-time';
import { text as textRule } from '../../shared/text';
import { referrerParams } from '../../shared/referrer-params';
import { linkFieldEntries } from '../../links/dynamic-links/link-fields';
import { csvReader } from './csv';
import * as to from './field-readers';
import type { TextTarget } from './link-draft';
import { isEmpty, parseJson } from './source-cells';
import { ignored, type SourceField, TableSource } from './table-source';

/** Ignores an empty value. Texts of links may be empty, so that the source does not ignore them in general. */
const filled =
  (read: to.Reader): to.Reader =>
  (cell, draft, cells) => {
    if (!isEmpty(cell.value)) read(cell, draft, cells);
  };

/** Takes the id of an app of this project. Apps of other projects are matched by the fields with their summaries. */
const appId =
  (platform: 'ios' | 'android'): to.Reader =>
  (cell, draft) => {
    const apps = draft.context[`${platform}Apps`];
    if ([...apps.values()].includes(String(cell.value))) draft.set(`${platform}_app_id`, cell.value, cell);
    else draft.report(cell);
  };

const params: to.Reader = (cell, draft) => {
  const json = parseJson(cell.value);
  if (json === '') return;
  const read = draft.read(referrerParams, cell, json);
  if (read) draft.set('referrer_params', Object.fromEntries(read), cell);
};

const texts = linkFieldEntries.flatMap(([name, { kind }]) => (kind === 'text' ? [name] : []));

/** Returns how exports have a field. A text keeps its length, and other fields are columns of the source `csv`, too. */
function fieldsOf([name, { kind }]: (typeof linkFieldEntries)[number]): SourceField[] {
  if (kind === 'text') return [[[name], to.exactText(name as TextTarget)]];
  if (kind === 'params') return [[[name], params]];
  if (kind !== 'app') return [[[name], filled(csvReader(name)!)]];
  const platform = name === 'ios_app_id' ? 'ios' : 'android';
  const [summary, column] =
    platform === 'ios'
      ? ['ios_apps.bundle_id', 'ios_bundle_id']
      : ['android_apps.package_name', 'android_package_name'];
  return [
    [[summary, column], filled(to.app(platform))],
    [[name], filled(to.unless(summary, appId(platform)))],
  ];
}

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
    [['full_url'], filled(to.address)],
    ...linkFieldEntries.flatMap(fieldsOf),
    [['has_password'], filled(to.noPlace)],
    [['imported_from'], filled(importedFrom)],
    [['original_created_at'], filled(originalCreatedAt)],
    [['original_clicks'], filled(to.clicks)],
    [['created_at'], filled(originalCreatedAt)],
    ...ignored('id', 'project_id', 'updated_at'),
    ...ignored('ios_apps.id', 'ios_apps.name', 'android_apps.id', 'android_apps.name'),
  ],
  {
    required: 'name',
    nested: { ios_apps: {}, android_apps: {} },
    // The export leaves cells without a value empty, so that people have written these texts.
    texts: ['custom_path', ...texts],
    // CSV has no other form for null.
    isEmpty: (value, isCsv) => value === null || value === undefined || (value === '' && isCsv),
  },
);
