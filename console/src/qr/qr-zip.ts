import type { DynamicLink } from 'signpost-client';
import { qrFile, qrFileName, qrFormats } from './qr-files';
import { storedDesign } from './stored-design';
import { type NamedFile, zipOf } from './zip';

export type ZippedLink = Pick<DynamicLink, 'full_url' | 'custom_path' | 'name'>;

/** Packs the QR code of each link in every format. */
export async function qrZip(links: readonly ZippedLink[]): Promise<Blob> {
  const design = storedDesign();
  const files: NamedFile[] = [];
  for (const { full_url: url, custom_path: path, name } of links)
    for (const format of qrFormats)
      files.push({
        name: `${format}/${qrFileName(`${name} ${path}`)}.${format}`,
        content: await qrFile(url, design, format),
      });
  return new Blob([zipOf(files)], { type: 'application/zip' });
}
