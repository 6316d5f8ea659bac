import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { operations } from '../index.js';
import type { Command } from './command.js';
import { isUuid, type Connection } from './connection.js';
import type { Context } from './context.js';
import { exitCodes } from './exit-codes.js';
import { Failure, reasonOf, UsageFailure } from './failures.js';
import { idOfNamedLink, namedLinkHelp } from './named-link.js';
import { saveBody } from './output-file.js';
import { uploadPicture } from './picture-upload.js';

type Query = NonNullable<operations['getDynamicLinkQrCode']['parameters']['query']>;

export const qr: Command = {
  name: 'qr',
  summary: 'save the QR codes of links',
  description:
    `${namedLinkHelp} With --short-link, it is the id of a short link. Several links need --folder, where each one gets a file by the name ` +
    'of its argument.',
  positionals: [{ name: 'LINK', many: true }],
  isReadOnly: true,
  options: {
    'short-link': { help: 'LINK is the id of a short link' },
    format: { value: 'FORMAT', choices: ['png', 'svg', 'pdf'], help: 'png by default' },
    size: { value: 'PIXELS', help: 'width: 512 by default' },
    'width-mm': { value: 'MM', help: 'width for print, in place of --size; 50 by default for a PDF' },
    margin: { value: 'MODULES', help: 'width of the quiet zone: 4 by default' },
    'error-correction': { value: 'LEVEL', choices: ['L', 'M', 'Q', 'H'], help: 'M by default' },
    color: { value: 'RRGGBB', help: 'colour of the modules' },
    background: { value: 'RRGGBB', help: 'colour of the background' },
    rounded: { help: 'round corners' },
    frame: { value: 'TEXT', help: 'call to action below the code, for svg and pdf' },
    logo: {
      value: 'FILE',
      help: 'PNG, JPEG or WebP in the middle of the code; it is uploaded as a picture of the project',
    },
    output: { value: 'FILE', short: 'o', help: 'file; stdout by default' },
    folder: { value: 'FOLDER', help: 'folder for one file per link; it is created' },
  },
  examples: [
    'signpost qr external:crm-4711 --format svg -o sale.svg',
    'signpost qr external:crm-4711 --logo logo.png --width-mm 40 -o sale.png',
    'signpost qr external:poster-1 external:poster-2 --format pdf --width-mm 80 --rounded --frame "Scan me" --folder codes',
  ],
  async run(context) {
    const { io, args } = context;
    const { positionals: links } = args;
    const output = args.text('output');
    const folder = args.text('folder');
    if (output !== undefined && folder !== undefined)
      throw new UsageFailure('--output and --folder exclude each other; use one.');
    if (links.length > 1 && folder === undefined) throw new UsageFailure('Several links need --folder.');
    const query = queryOf(context);
    const names = links.map((link) => `${fileNameOf(link)}.${query.format}`);
    const files = links.map((_, at) =>
      folder !== undefined ? join(folder, names[at]!) : output === '-' ? undefined : output,
    );
    // Some file systems do not distinguish upper and lower case.
    if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
      throw new UsageFailure('Two links would have the same file.');
    if (files[0] === undefined && context.isJson)
      throw new UsageFailure('--json needs --output FILE, because the image itself goes to stdout.');
    if (files[0] === undefined && query.format !== 'svg' && io.stdout.isTTY)
      throw new UsageFailure('A terminal cannot show the image; add --output FILE.');
    const service = await context.connect();
    const logo = args.text('logo');
    if (logo !== undefined) query.logo = await uploadPicture(service, io, logo);
    if (folder !== undefined)
      await mkdir(folder, { recursive: true }).catch((error: unknown) => {
        throw new Failure(`${folder} cannot be created: ${reasonOf(error)}`);
      });
    const saved = [];
    for (const [at, link] of links.entries()) {
      const file = files[at];
      const request = await (args.flag('short-link')
        ? ofShortLink(service, link, query)
        : ofLink(service, link, query));
      const bytes = await saveBody(io, await service.send(request), file);
      saved.push({ file, format: query.format, bytes });
      if (!context.isJson && file !== undefined) context.note(`${bytes.toLocaleString('en-US')} bytes in ${file}`);
    }
    if (context.isJson) context.printJson(folder === undefined ? saved[0] : { files: saved });
    return exitCodes.done;
  },
};

function queryOf({ args }: Context): Query {
  const texts = ['error-correction', 'color', 'background', 'frame'].map((option) => [
    option.replace('-', '_'),
    args.text(option),
  ]);
  return {
    ...(Object.fromEntries(texts) as Query),
    format: (args.text('format') ?? 'png') as Query['format'],
    size: args.number('size', { min: 128, max: 2048 }),
    width_mm: args.number('width-mm', { min: 10, max: 300 }),
    margin: args.number('margin', { min: 0, max: 16 }),
    ...(args.flag('rounded') && { rounded: true }),
  };
}

/** Returns the name of a link's file: its id, or the external id, without characters that file systems treat specially. */
const fileNameOf = (link: string): string =>
  link
    .replace(/^[a-z]+:/, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^\.+/, '');

async function ofLink(service: Connection, link: string, query: Query) {
  const { client, path } = service;
  const params = { path: { ...path, linkId: await idOfNamedLink(service, link) }, query };
  return () => client.GET('/projects/{projectId}/links/{linkId}/qr-code', { params, parseAs: 'stream' });
}

function ofShortLink({ client, path }: Connection, link: string, query: Query) {
  if (!isUuid(link)) throw new UsageFailure(`${JSON.stringify(link)} must be the id of a short link.`);
  const params = { path: { ...path, shortLinkId: link }, query };
  return Promise.resolve(() =>
    client.GET('/projects/{projectId}/short-links/{shortLinkId}/qr-code', { params, parseAs: 'stream' }),
  );
}
