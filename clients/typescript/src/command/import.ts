import { acknowledgeOption, type Command, yesOption } from './command.js';
import { requireAnswerer } from './confirm.js';
import { UsageFailure } from './failures.js';
import { ImportFlow } from './import-flow.js';
import { importFormats, uploadFile } from './import-upload.js';
import { isUuid } from './connection.js';

const sources = [
  'firebase-dynamic-links',
  'branch',
  'bitly',
  'dub',
  'short-io',
  'rebrandly',
  'shlink',
  'kutt',
  'yourls',
  'csv',
  'signpost',
];

export const importCommand: Command = {
  name: 'import',
  summary: 'import links from a file of another system or project',
  description:
    'Uploads FILE, waits for the dry run, shows what each row would do, asks, and runs the import. FILE is CSV, JSON or NDJSON; - is ' +
    'stdin. An import that is not run is cancelled. A run goes on in the service if the command is interrupted; --resume watches it.',
  positionals: [{ name: 'FILE', isOptional: true }],
  options: {
    source: {
      value: 'SOURCE',
      choices: sources,
      help: `system that the file comes from: signpost by default, or ${sources.slice(0, -1).join(', ')}`,
    },
    conflict: {
      value: 'POLICY',
      choices: ['skip', 'replace', 'fail'],
      help: 'rows that meet another link: skip by default',
    },
    columns: { value: 'JSON', help: 'columns of the source csv and their fields, as a JSON object or a file with one' },
    ...acknowledgeOption,
    'time-zone': { value: 'ZONE', help: 'zone of times without an offset: UTC by default' },
    'date-format': {
      value: 'FORMAT',
      choices: ['iso', 'day_first', 'month_first'],
      help: 'order of day and month in dates such as 03/04/2024: iso by default, which refuses them',
    },
    encoding: { value: 'ENCODING', choices: ['utf-8', 'windows-1252'], help: 'of the file: utf-8 by default' },
    format: {
      value: 'FORMAT',
      choices: importFormats,
      help: 'form of the file; by default the end of its name says it',
    },
    'dry-run': { help: 'end after the dry run' },
    report: { value: 'FILE', help: 'save all rows with their outcomes as CSV' },
    resume: { value: 'IMPORT', help: 'id of an import that is in the service already, instead of FILE' },
    ...yesOption,
  },
  examples: [
    'signpost import bitly.csv --source bitly --dry-run --report rows.csv',
    'signpost import links.csv --source csv --columns \'{"Slug":"custom_path","Target":"desktop_url"}\' --yes',
  ],
  async run(context) {
    const { io, args } = context;
    const [file] = args.positionals;
    const resumed = args.text('resume');
    if ((file === undefined) === (resumed === undefined))
      throw new UsageFailure('Name one FILE, or --resume IMPORT; see signpost import --help.');
    if (resumed !== undefined && !isUuid(resumed)) throw new UsageFailure('--resume must be the id of an import.');
    if (!args.flag('dry-run')) requireAnswerer(io, args);
    const service = await context.connect();
    const id = resumed ?? (await uploadFile(context, service, file!)).id;
    return new ImportFlow(context, service, id, resumed === undefined).run();
  },
};
