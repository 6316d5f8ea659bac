import { createServer } from 'node:http';
import express from 'express';
import pg from 'pg';

// Runs a baseline of bench:traffic, one per process. The first is a bare node:http server with a constant redirect, and a constant
// page on /landing. The second has one named query per request instead, and the third is Express with that query.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const lookUp = (path) =>
  pool.query({
    name: 'look-up',
    text: `SELECT link.desktop_url FROM link_paths taken JOIN dynamic_links link ON link.id = taken.dynamic_link_id
           WHERE taken.project_id = $1 AND taken.path = $2`,
    values: [process.env.PROJECT_ID, path],
  });

const redirect = (response, location) => {
  response.writeHead(302, { Location: location, 'Content-Length': 0 });
  response.end();
};

const sendPage = (response, status, page) => {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': page.length });
  response.end(page);
};

const landingPage = Buffer.from(process.env.PAGE);
const notFoundPage = Buffer.from('<!doctype html><title>Not found</title>');

const servers = {
  constant: () =>
    createServer((request, response) => {
      if (request.url === '/landing') sendPage(response, 200, landingPage);
      else redirect(response, 'https://example.com/some/page');
    }),
  lookup: () =>
    createServer(async (request, response) => {
      const { rows } = await lookUp(request.url.split('?', 1)[0].slice(1));
      if (rows.length === 0) sendPage(response, 404, notFoundPage);
      else redirect(response, rows[0].desktop_url);
    }),
  express: () => {
    const app = express();
    app.disable('x-powered-by');
    app.get('/:path', async (request, response) => {
      const { rows } = await lookUp(request.params.path);
      if (rows.length === 0) return void response.status(404).send(notFoundPage);
      response.redirect(302, rows[0].desktop_url);
    });
    return createServer(app);
  },
};

const server = servers[process.env.BASELINE]();
server.listen(0, '127.0.0.1', () => process.stdout.write(`{"port":${server.address().port}}\n`));
process.on('SIGTERM', () => process.exit(0));
