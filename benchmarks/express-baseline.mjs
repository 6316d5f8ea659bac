import express from 'express';
import pg from 'pg';
import { randomBytes, randomUUID } from 'node:crypto';

// The baseline of bench:api: Express with one named statement per request, without authentication, plans or validation.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = express();
app.disable('x-powered-by');
app.disable('etag');

// Those that the management API selects.
const columns = `id, project_id, name, custom_path, desktop_url, ios_app_id, android_app_id, ios_fallback_url, android_fallback_url,
  ios_deferred_deep_link, social_title, social_description, social_image_url, referrer_params, app_data, query_forwarding, forwarded_params,
  variants, rules, template, active_from, active_until, expired_url, click_limit, external_id, title, notes, archived, disabled, conversions,
  tag_ids, used_up, imported_from, original_created_at, original_clicks, created_at, updated_at`;

app.get('/projects/:project/links/:link', async (request, response) => {
  const { rows } = await pool.query({
    name: 'get',
    text: `SELECT ${columns} FROM dynamic_links WHERE project_id = $1 AND id = $2`,
    values: [request.params.project, request.params.link],
  });
  response.json({ data: rows[0] });
});

const list = `SELECT ${columns}, (SELECT coalesce(sum(dynamic_links), 0) FROM project_counts WHERE project_id = $1) AS total
  FROM dynamic_links WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT 10 OFFSET $2`;

app.get('/projects/:project/links', async (request, response) => {
  const page = Number(request.query.page ?? 1);
  const { rows } = await pool.query({
    name: 'list',
    text: list,
    values: [request.params.project, (page - 1) * 10],
  });
  response.json({
    data: rows,
    pagination: { page, limit: 10, total: rows[0]?.total },
  });
});

app.post('/projects/:project/links', express.json(), async (request, response) => {
  const { rows } = await pool.query({
    name: 'create',
    text: `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url) VALUES ($1, $2, $3, $4, $5) RETURNING ${columns}`,
    values: [
      randomUUID(),
      request.params.project,
      request.body.name,
      randomBytes(6).toString('hex'),
      request.body.desktop_url,
    ],
  });
  response.status(201).json({ data: rows[0] });
});

app.put('/projects/:project/links/:link', express.json(), async (request, response) => {
  const { rows } = await pool.query({
    name: 'update',
    text: `UPDATE dynamic_links SET name = $3, desktop_url = $4, updated_at = now() WHERE project_id = $1 AND id = $2 RETURNING ${columns}`,
    values: [request.params.project, request.params.link, request.body.name, request.body.desktop_url],
  });
  response.json({ data: rows[0] });
});

app.delete('/projects/:project/links/:link', async (request, response) => {
  const { rowCount } = await pool.query({
    name: 'delete',
    text: 'DELETE FROM dynamic_links WHERE project_id = $1 AND id = $2',
    values: [request.params.project, request.params.link],
  });
  response.json({ data: { message: `${rowCount} deleted` } });
});

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`{"port":${server.address().port}}\n`);
});
process.on('SIGTERM', () => process.exit(0));
