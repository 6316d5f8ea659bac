import { extname } from 'node:path';
import type { Connection } from './connection.js';
import { UsageFailure } from './failures.js';
import type { Io } from './io.js';
import { readBytes } from './read-input.js';

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

/** Uploads a picture to the project, and returns its id. The same picture has the same id each time. */
export async function uploadPicture({ client, path, send }: Connection, io: Io, file: string): Promise<string> {
  const type = mediaTypes[extname(file).toLowerCase()];
  if (type === undefined) throw new UsageFailure(`${file} must be a PNG, JPEG or WebP.`);
  const body = new Blob([await readBytes(io, file)], { type });
  const { data } = await send(() =>
    client.POST('/projects/{projectId}/pictures', {
      params: { path },
      headers: { 'Content-Type': type },
      // The types of the client know bodies of JSON only.
      body: body as never,
      bodySerializer: (sent: unknown) => sent as Blob,
    }),
  );
  return data.id;
}
