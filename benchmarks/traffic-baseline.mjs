import { createServer } from 'node:http';
import express from 'express';
import pg from 'pg';

// Runs a baseline of bench:traffic, one per process. The first is a bare node:http server with a constant redirect. The second
// adds one named query per request, and the third is Express with that query.
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

const servers = {
  constant: () => createServer((_, response) => redirect(response, 'https://example.com/some/page')),
  lookup: () =>
    createServer(async (request, response) => {
      const { rows } = await lookUp(request.url.slice(1));
      redirect(response, rows[0].desktop_url);
    }),
  express: () => {
    const app = express();
    app.disable('x-powered-by');
    app.get('/:path', async (request, response) => {
      const { rows } = await lookUp(request.params.path);
      response.redirect(302, rows[0].desktop_url);
    });
    return createServer(app);
  },
};

const server = servers[process.env.BASELINE]();
server.listen(0, '127.0.0.1', () => process.stdout.write(`{"port":${server.address().port}}\n`));
process.on('SIGTERM', () => process.exit(0));
