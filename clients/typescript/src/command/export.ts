import type { operations } from '../index.js';
import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { UsageFailure } from './failures.js';
import { saveBody } from './output-file.js';

type Query = NonNullable<operations['exportDynamicLinks']['parameters']['query']>;
type Format = NonNullable<Query['format']>;

export const exportCommand: Command = {
  name: 'export',
  summary: 'save all links of a project',
  description:
    'The format csv is for spreadsheets, ndjson for programs, and signpost for an import into another project.',
  isReadOnly: true,
  options: {
    format: { value: 'FORMAT', choices: ['csv', 'ndjson', 'signpost'], help: 'csv by default' },
    delimiter: {
      value: 'DELIMITER',
      choices: ['comma', 'semicolon', 'tab'],
      help: 'between cells of csv, comma by default',
    },
    output: { value: 'FILE', short: 'o', help: 'file; stdout by default' },
  },
  examples: ['signpost export --format signpost -o links.ndjson', 'signpost export --format ndjson | jq -r .full_url'],
  async run(context) {
    const { io, args, progress } = context;
    const output = args.text('output');
    const file = output === '-' ? undefined : output;
    if (context.isJson && file === undefined)
      throw new UsageFailure('--json needs --output FILE, because the export itself goes to stdout.');
    const format = (args.text('format') ?? 'csv') as Format;
    const { client, path, send } = await context.connect();
    const delimiter = args.text('delimiter') as Query['delimiter'];
    const params = { path, query: { format, delimiter } };
    const body = await send(() => client.GET('/projects/{projectId}/links/export', { params, parseAs: 'stream' }));
    // Bytes on the terminal would mix with the bar.
    const isShown = file !== undefined || !io.stdout.isTTY;
    const bytes = await saveBody(io, body, file, (done) => {
      if (isShown) progress.show('Bytes', done, null);
    });
    if (context.isJson) context.printJson({ file, format, bytes });
    else if (file !== undefined) context.note(`${bytes.toLocaleString('en-US')} bytes in ${file}`);
    return exitCodes.done;
  },
};
