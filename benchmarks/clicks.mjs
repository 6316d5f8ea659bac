import pg from 'pg';

const dayMs = 24 * 60 * 60_000;

const days = 30;

/** Numbers of distinct values. Low numbers are more frequent; each link has a subset of the referrers and countries. */
export const distinct = { links: Number(process.env.LINKS ?? 1000), referrers: 300, countries: 60 };
export const perLink = { referrers: 6, countries: 8 };

/** Creates a project with links. Its clicks are of the thirty days (UTC) before today. */
export async function createClickedProject(client, accountId, userId) {
  const to = Math.floor(Date.now() / dayMs) * dayMs;
  const one = async (sql, values) => Object.values((await client.query(sql, values)).rows[0])[0];
  const project = await one(
    `INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Clicked', 'clicked') RETURNING id`,
    [accountId, userId],
  );
  const links = await one(
    `WITH link AS (
       INSERT INTO dynamic_links (id, project_id, name, custom_path, referrer_params)
       SELECT gen_random_uuid(), $1, 'Link ' || n, 'link-' || n, jsonb_build_array(jsonb_build_array('utm_source', 'source-' || n % 10))
       FROM generate_series(1, $2::int) n RETURNING id
     ) SELECT array_agg(id) FROM link`,
    [project, distinct.links],
  );
  return { project, links, from: to - days * dayMs, to };
}

/** Days that are written at the same time. */
const connections = 2;

const counts = { clicks: 'NOT bot', qr_scans: 'NOT bot AND qr', bots: 'bot', bot_qr_scans: 'bot AND qr' };
const names = Object.keys(counts);

/** Returns the array of each count, by place. An array that grows with each row takes several times as long. */
const byPlace = (place) =>
  names.map((name) => {
    const counted = `FILTER (WHERE ${name} > 0)`;
    return `counts_at(array_agg(${place}) ${counted}, array_agg(${name}) ${counted})`;
  });

/**
 * Writes `clicks` clicks of a project, spread evenly over its days, half of them by short link. Writes the tables as the service
 * does after rolling up: the clicks and their sums.
 *
 * @returns {Promise<string>} the link with the most clicks
 */
export async function loadClicks(databaseUrl, { project, links, from, to }, clicks) {
  const loaders = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }));
  await Promise.all(loaders.map((loader) => loader.connect()));
  try {
    const [first] = loaders;
    await first.query('SELECT make_click_partitions($1)', [[from, to].map((at) => new Date(at).toISOString())]);
    let next = from;
    await Promise.all(
      loaders.map(async (loader) => {
        await loader.query("SET work_mem = '400MB'");
        while (next < to) {
          const day = next;
          next += dayMs;
          await loadDay(loader, project, links, day, Math.round(clicks / days));
        }
      }),
    );
    await first.query(
      `WITH summed AS MATERIALIZED (
         SELECT scope_id, dimension, date_trunc('month', day)::date AS month, extract(day FROM day)::integer AS day, value,
                ${names.map((name) => `coalesce((SELECT sum(count) FROM unnest(${name}) AS count), 0) AS ${name}`)}
         FROM clicks_by_quarter WHERE project_id = $1
       )
       INSERT INTO clicks_by_day (project_id, scope_id, dimension, month, value, ${names}, ${names.map((name) => `total_${name}`)})
       SELECT $1, scope_id, dimension, month, value, ${byPlace('day')}, ${names.map((name) => `nullif(sum(${name}), 0)`)}
       FROM summed GROUP BY scope_id, dimension, month, value`,
      [project],
    );
    await first.query('VACUUM ANALYZE');
    const { rows } = await first.query(
      `SELECT scope_id FROM clicks_by_day, unnest(clicks) AS n WHERE project_id = $1 AND scope_id <> $1 AND dimension = 'platform'
       GROUP BY 1 ORDER BY sum(n) DESC LIMIT 1`,
      [project],
    );
    return rows[0].scope_id;
  } finally {
    await Promise.all(loaders.map((loader) => loader.end()));
  }
}

/** Writes the clicks of one day (UTC) and their sums. All days at once would need their disk twice. */
async function loadDay(client, project, links, day, clicks) {
  // One random number each selects the link, referrer and country; smaller ones are more frequent.
  await client.query(
    `CREATE TEMPORARY TABLE clicked AS
     SELECT to_timestamp($1::float8 + ms / 1000.0)::timestamptz(3) AS clicked_at, 1 + ms / 900000 AS quarter, link AS dynamic_link_id,
            CASE WHEN by_short_link THEN link END AS short_link_id,
            CASE WHEN by_short_link THEN CASE WHEN link_number % 2 = 0 THEN 'api' ELSE 'dashboard' END END AS source,
            ('{ios,ios,ios,android,android,desktop,desktop,desktop}'::text[])[client] AS platform,
            ('{Safari,Chrome,Instagram,Chrome,Facebook,Chrome,Edge,NULL}'::text[])[client] AS browser,
            CASE WHEN referrer > 0 THEN 'host-' || (link_number * ${perLink.referrers} + referrer) % ${distinct.referrers} || '.example' END AS referrer,
            chr(65 + (link_number + country) % ${distinct.countries} / 10) || chr(65 + (link_number + country) % 10) AS country,
            client = 8 AS bot, qr
     FROM (
       SELECT floor(random() * ${dayMs})::int AS ms, random() < 0.5 AS by_short_link,
              1 + (${distinct.links} * random() * random())::int % ${distinct.links} AS link_number,
              1 + (random() * 7.99 - 0.5)::int AS client,
              (${perLink.referrers} * random() * random())::int AS referrer, (${perLink.countries} * random() * random())::int AS country,
              random() < 0.05 AS qr
       FROM generate_series(1, $2::int)
     ) AS drawn JOIN unnest($3::uuid[]) WITH ORDINALITY AS of_link (link, number) ON number = link_number`,
    [day / 1000, clicks, links],
  );
  // One process writes a batch twice a second. The array slots are 1, 2, 3, …, because the batches are small.
  const places = `('{${Array.from({ length: 1000 }, (_, before) => before + 1).join(',')}}'::smallint[])[1:count(*)]`;
  await client.query(
    `INSERT INTO clicks (clicked_at, batch_id, project_id, dynamic_link_ids, short_link_ids, sources, platforms, browsers, referrers, countries,
                         bots, qrs, opened, opened_by, times, moments)
     SELECT to_timestamp(batch / 2.0), batch, $1, array_agg(dynamic_link_id),
            CASE WHEN count(short_link_id) > 0 THEN array_agg(short_link_id) END, CASE WHEN count(source) > 0 THEN array_agg(source) END,
            array_agg(platform), CASE WHEN count(browser) > 0 THEN array_agg(browser) END,
            CASE WHEN count(referrer) > 0 THEN array_agg(referrer) END, array_agg(country),
            CASE WHEN bool_or(bot) THEN array_agg(bot) END, CASE WHEN bool_or(qr) THEN array_agg(qr) END,
            ${places}, ${places}, array_fill(1::smallint, ARRAY[count(*)::integer]), array_agg(moment)
     FROM (
       SELECT *, floor(extract(epoch FROM clicked_at) * 2)::bigint AS batch, (extract(epoch FROM clicked_at) * 1000)::bigint % 500 AS moment
       FROM clicked
     ) AS click GROUP BY batch ORDER BY batch`,
    [project],
  );
  const values = {
    platform: 'platform',
    browser: "coalesce(browser, '')",
    referrer: "coalesce(referrer, '')",
    country: "coalesce(country, '')",
    short_link: "coalesce(short_link_id::text, '')",
    source: "coalesce(source, '')",
    visitor: "concat(platform, '|', browser, '|', country)",
  };
  const ofProject = { link: 'dynamic_link_id::text' };
  for (const scope of ['project_id', 'dynamic_link_id'])
    for (const [dimension, value] of Object.entries({ ...values, ...(scope === 'project_id' && ofProject) }))
      await client.query(
        `WITH counted AS MATERIALIZED (
           SELECT ${scope === 'project_id' ? '$1::uuid' : scope} AS scope, ${value} AS value, quarter,
                  ${Object.entries(counts).map(([name, which]) => `count(*) FILTER (WHERE ${which}) AS ${name}`)}
           FROM clicked ${scope === 'project_id' ? '' : `WHERE ${value} <> ''`} GROUP BY 1, 2, 3
         )
         INSERT INTO clicks_by_quarter (project_id, scope_id, dimension, day, value, ${names})
         SELECT $1, scope, '${dimension}', to_timestamp($2)::date, value, ${byPlace('quarter')} FROM counted GROUP BY scope, value`,
        [project, day / 1000],
      );
  await client.query('DROP TABLE clicked');
}
