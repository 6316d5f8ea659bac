import type { operations } from '../index.js';
import type { Command } from './command.js';
import { isUuid } from './connection.js';
import { exitCodes } from './exit-codes.js';
import { UsageFailure } from './failures.js';
import { idOfNamedLink, namedLinkHelp } from './named-link.js';
import { saveBody } from './output-file.js';

type Query = NonNullable<operations['getDynamicLinkQrCode']['parameters']['query']>;

export const qr: Command = {
  name: 'qr',
  summary: 'save the QR code of a link',
  description: `${namedLinkHelp} With --short-link, it is the id of a short link.`,
  positionals: [{ name: 'LINK' }],
  isReadOnly: true,
  options: {
    'short-link': { help: 'LINK is the id of a short link' },
    format: { value: 'FORMAT', choices: ['png', 'svg'], help: 'png by default' },
    size: { value: 'PIXELS', help: 'width and height: 512 by default' },
    margin: { value: 'MODULES', help: 'width of the quiet zone: 4 by default' },
    'error-correction': { value: 'LEVEL', choices: ['L', 'M', 'Q', 'H'], help: 'M by default' },
    color: { value: 'RRGGBB', help: 'colour of the modules' },
    background: { value: 'RRGGBB', help: 'colour of the background' },
    output: { value: 'FILE', short: 'o', help: 'file; stdout by default' },
  },
  examples: ['signpost qr external:crm-4711 --format svg -o sale.svg'],
  async run(context) {
    const { io, args } = context;
    const output = args.text('output');
    const file = output === '-' ? undefined : output;
    const format = (args.text('format') ?? 'png') as Query['format'];
    if (file === undefined && context.isJson)
      throw new UsageFailure('--json needs --output FILE, because the image itself goes to stdout.');
    if (file === undefined && format === 'png' && io.stdout.isTTY)
      throw new UsageFailure('A terminal cannot show the image; add --output FILE.');
    const texts = ['error-correction', 'color', 'background'].map((option) => [
      option.replace('-', '_'),
      args.text(option),
    ]);
    const query: Query = {
      ...(Object.fromEntries(texts) as Query),
      format,
      size: args.number('size', { min: 128, max: 2048 }),
      margin: args.number('margin', { min: 0, max: 16 }),
    };
    const service = await context.connect();
    const { client, path } = service;
    const name = args.positionals[0]!;
    const request = args.flag('short-link') ? ofShortLink() : await ofLink();
    const bytes = await saveBody(io, await service.send(request), file);
    if (context.isJson) context.printJson({ file, format, bytes });
    else if (file !== undefined) context.note(`${bytes.toLocaleString('en-US')} bytes in ${file}`);
    return exitCodes.done;

    async function ofLink() {
      const params = { path: { ...path, linkId: await idOfNamedLink(service, name) }, query };
      return () => client.GET('/projects/{projectId}/links/{linkId}/qr-code', { params, parseAs: 'stream' });
    }

    function ofShortLink() {
      if (!isUuid(name)) throw new UsageFailure(`${JSON.stringify(name)} is no id of a short link.`);
      const params = { path: { ...path, shortLinkId: name }, query };
      return () => client.GET('/projects/{projectId}/short-links/{shortLinkId}/qr-code', { params, parseAs: 'stream' });
    }
  },
};
