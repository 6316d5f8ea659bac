import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { HtmlPage } from '../../src/link-routing/pages/page';

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630"><path fill="#e0487a" d="M0 0h1200v630H0z"/></svg>';

type ServedPage = Pick<HtmlPage, 'html' | 'contentSecurityPolicy'>;

/** A link host on loopback that sends the headers of link traffic, and another host with a picture. */
export interface PageServer {
  port: number;
  picture: string;
  /** The bodies of the reports that pages sent. */
  reports: string[];
  add(page: ServedPage, host?: string): string;
  close(): Promise<void>;
}

export async function servePages(): Promise<PageServer> {
  const pages = new Map<string, ServedPage>();
  const reports: string[] = [];
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (page) {
      response.setHeader('Content-Security-Policy', page.contentSecurityPolicy);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(page.html);
    } else if (request.url?.startsWith('/picture.svg')) {
      response.setHeader('Content-Type', 'image/svg+xml');
      response.end(picture);
    } else if (request.method === 'POST' && request.url === '/deferred-links/step') {
      void json(request).then((body) => reports.push(JSON.stringify(body)));
      response.end('{}');
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    reports,
    picture: `http://pictures.localhost:${port}/picture.svg`,
    add: (page, host = 'summer.localhost') => {
      const path = `/${pages.size}`;
      pages.set(path, page);
      return `http://${host}:${port}${path}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
