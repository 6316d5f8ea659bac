import { setTimeout as sleep } from 'node:timers/promises';
import { distinct, perLink } from './clicks.mjs';

/** ClickHouse answers a statement of so many clicks within minutes. */
const clicksPerStatement = 10_000_000;

const views = ['link_clicks_by_quarter_view', 'project_clicks_by_quarter_view'];

const counts = `countIf(NOT bot) AS clicks, countIf(NOT bot AND qr) AS qr_scans, countIf(bot) AS bots, countIf(bot AND qr) AS bot_qr_scans`;

/**
 * Writes clicks into ClickHouse by its own statements, with the frequencies of `loadClicks`. It writes the sums
 * afterwards, as the materialized views would, because a view that sums each insert takes several times as long.
 *
 * @returns {Promise<string>} the link with the most clicks
 */
export async function loadIntoClickHouse(clickHouse, { project, links, from, to }, clicks) {
  for (const view of views) await clickHouse.run(`DETACH TABLE ${view}`);
  for (let written = 0; written < clicks; written += clicksPerStatement) {
    const count = Math.min(clicksPerStatement, clicks - written);
    await clickHouse.run(insertClicks(project, links, from, to, count));
  }
  // Parts of the window, so that each statement ends within minutes.
  const step = Math.ceil((to - from) / Math.ceil(clicks / clicksPerStatement));
  for (let part = from; part < to; part += step)
    for (const statement of sumsOf(part, Math.min(to, part + step))) await clickHouse.run(statement);
  for (const view of views) await clickHouse.run(`ATTACH TABLE ${view}`);
  while ((await clickHouse.rows('SELECT 1 AS merging FROM system.merges LIMIT 1')).length > 0) await sleep(1000);
  const [{ link, stored, ...sums }] = await clickHouse.rows(
    `SELECT toString(topK(1)(dynamic_link_id)[1]) AS link, toFloat64(count()) AS stored,
       (SELECT toFloat64(sum(clicks + bots)) FROM link_clicks_by_quarter) AS of_links,
       (SELECT toFloat64(sum(clicks + bots)) FROM project_clicks_by_quarter) / 8 AS of_project FROM clicks`,
  );
  for (const [name, sum] of Object.entries(sums))
    if (sum !== stored) throw new Error(`ClickHouse has ${stored} clicks, but the sums ${name} have ${sum}.`);
  return link;
}

function sumsOf(from, to) {
  const quarter = "toDateTime(toStartOfFifteenMinutes(clicked_at), 'UTC') AS quarter";
  const clicks = `FROM clicks WHERE clicked_at >= fromUnixTimestamp64Milli(${from}, 'UTC') AND clicked_at < fromUnixTimestamp64Milli(${to}, 'UTC')`;
  const columns = {
    ...Object.fromEntries(['platform', 'browser', 'referrer', 'country', 'source'].map((name) => [name, name])),
    short_link: 'short_link_id',
    link: 'dynamic_link_id',
    visitor: "concat(platform, '|', browser, '|', country)",
  };
  return [
    // The table sums equal rows while it sorts an insert.
    `INSERT INTO link_clicks_by_quarter SELECT project_id, dynamic_link_id, ${quarter}, short_link_id, source, platform, browser, referrer,
       country, toUInt64(NOT bot), toUInt64(NOT bot AND qr), toUInt64(bot), toUInt64(bot AND qr) ${clicks}`,
    ...Object.entries(columns).map(
      ([dimension, column]) =>
        `INSERT INTO project_clicks_by_quarter SELECT project_id, '${dimension}', ${quarter}, toString(${column}) AS value, ${counts}
         ${clicks} GROUP BY project_id, quarter, ${column}`,
    ),
  ];
}

/** Each random number has its own argument, because equal calls have equal results in a row. */
const random = (n) => `(rand(${n}) / 4294967296)`;

const insertClicks = (project, links, from, to, count) => `
INSERT INTO clicks (project_id, dynamic_link_id, short_link_id, source, platform, browser, referrer, country, bot, qr, clicked_at)
SELECT '${project}', link, if(by_short_link, toString(link), ''),
  if(by_short_link, if(link_number % 2 = 0, 'api', 'dashboard'), ''),
  ['ios', 'ios', 'ios', 'android', 'android', 'desktop', 'desktop', 'desktop'][client],
  ['Safari', 'Chrome', 'Instagram', 'Chrome', 'Facebook', 'Chrome', 'Edge', ''][client],
  if(referrer > 0, concat('host-', toString((link_number * ${perLink.referrers} + referrer) % ${distinct.referrers}), '.example'), ''),
  concat(char(65 + intDiv((link_number + country) % ${distinct.countries}, 10)), char(65 + (link_number + country) % 10)),
  client = 8, qr, fromUnixTimestamp64Milli(toInt64(${from} + ${random(1)} * ${to - from}), 'UTC')
FROM (
  SELECT ${random(2)} < 0.5 AS by_short_link, 1 + toUInt32(${distinct.links} * ${random(3)} * ${random(4)}) % ${distinct.links} AS link_number,
    (${JSON.stringify(links).replaceAll('"', "'")}::Array(UUID))[link_number] AS link,
    1 + toUInt8(floor(${random(5)} * 8)) AS client, toUInt32(round(${perLink.referrers} * ${random(6)} * ${random(7)})) AS referrer,
    toUInt32(round(${perLink.countries} * ${random(8)} * ${random(9)})) AS country, ${random(10)} < 0.05 AS qr
  FROM numbers(${count})
)`;
