import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { loadedOnce } from '../../shared/loaded-once';
import { StaticFile } from './static-file';

export class ApiDocsSettings {
  readonly enabled: boolean;
  /** Folder of llms.txt and the Markdown pages, which the build writes. */
  readonly folder: string;
}

/** Names contain the hash of their content. */
const immutable = 'public, max-age=31536000, immutable';

const startScript = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

export interface LoadedDocs {
  page: StaticFile;
  files: ReadonlyMap<string, StaticFile>;
}

/**
 * Provides the page with Swagger UI and its files, and the pages for agents. Nest's own page contains the whole API description as a
 * script, and serves its files without the guards.
 */
@Injectable()
export class ApiDocsFiles {
  /** Reads the files with the first request, because most processes are never asked for them. */
  readonly load: () => Promise<LoadedDocs>;

  constructor({ folder }: ApiDocsSettings) {
    this.load = loadedOnce(() => load(folder));
  }
}

async function load(folder: string): Promise<LoadedDocs> {
  const files = await pagesIn(folder);
  const add = (name: string, extension: string, mediaType: string, content: string | Buffer): string => {
    const file = new StaticFile(mediaType, content, immutable);
    const hashedName = `${name}.${file.tag.slice(1, 13)}.${extension}`;
    files.set(hashedName, file);
    return `/api/docs/${hashedName}`;
  };
  const [bundle, css] = await Promise.all([
    readFile(require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    readFile(require.resolve('swagger-ui-dist/swagger-ui.css')),
  ]);
  const script = 'text/javascript; charset=utf-8';
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API description</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${add('swagger-ui', 'css', 'text/css; charset=utf-8', css)}">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${add('swagger-ui', 'js', script, bundle)}"></script>
<script src="${add('start', 'js', script, startScript)}"></script>
</body>
</html>
`;
  return { page: new StaticFile('text/html; charset=utf-8', html, 'no-cache'), files };
}

/** Reads llms.txt and the Markdown pages. Returns none if they are not built, as in a process of tests. */
async function pagesIn(folder: string): Promise<Map<string, StaticFile>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const page = async (name: string): Promise<[string, StaticFile]> => {
    const mediaType = `text/${name.endsWith('.md') ? 'markdown' : 'plain'}; charset=utf-8`;
    return [name, new StaticFile(mediaType, await readFile(join(folder, name)), 'no-cache')];
  };
  return new Map(await Promise.all(names.map(page)));
}
