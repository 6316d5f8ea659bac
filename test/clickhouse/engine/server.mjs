// node server.mjs FOLDER PORT: serves ClickHouse from the package chdb over HTTP, as far as @clickhouse/client uses it. It runs one
// statement at a time. It ends with its parent, whose end closes the standard input.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const { Session } = createRequire(import.meta.url)('chdb');

const [folder, port] = process.argv.slice(2);
const session = new Session(folder);

/** Parameters of a request that are no settings of the statement. */
const ofHttp =
  /^(?:query|database|query_id|session_id|session_timeout|session_check|role|default_format|param_.*|wait_end_of_query|http_.*|send_progress_in_http_headers|enable_http_compression|cancel_http_.*)$/;

let selected = '';
let last = Promise.resolve();

/** Runs statements in turn, because a session has one database selected. */
function inTurn(work) {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}

async function select(database) {
  if (database === selected) return;
  await session.queryAsync(`USE ${database}`);
  selected = database;
}

/** Puts the settings before the format, and the format before the rows of an insert. */
function statementOf(parameters, body) {
  const settings = [...parameters]
    .filter(([name]) => !ofHttp.test(name))
    .map(([name, value]) => `${name} = ${/^[0-9.]+$/.test(value) ? value : `'${value}'`}`);
  const clause = settings.length > 0 ? ` SETTINGS ${settings.join(', ')}` : '';
  const isInsert = /^\s*INSERT\b/i.test(parameters.get('query') ?? '');
  // The rest of a statement may be in the body.
  const whole = isInsert ? parameters.get('query') : [parameters.get('query') ?? '', body].join('\n');
  const text = whole.trim().replace(/;$/, '');
  const [, statement, format] = /^([^]*?)(?:\s+FORMAT\s+(\w+))?$/i.exec(text);
  if (/^INSERT\b/i.test(statement) && format)
    return { sql: `${statement}${clause} FORMAT ${format}\n${body}`, format: 'TabSeparated' };
  const reads = /^(?:SELECT|WITH)\b/i.test(statement);
  return { sql: reads ? `${statement}${clause}` : statement, format: format ?? 'TabSeparated' };
}

const escapes = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0' };

/** Reads a parameter, which the client writes as a list or as escaped text. */
const valueOf = (text) =>
  text.startsWith('[')
    ? JSON.parse(text.replaceAll("'", '"'))
    : text.replace(/\\(.)/g, (_, character) => escapes[character] ?? character);

async function run(parameters, body) {
  await select(parameters.get('database') ?? 'default');
  const { sql, format } = statementOf(parameters, body);
  const values = Object.fromEntries(
    [...parameters].filter(([name]) => name.startsWith('param_')).map(([name, text]) => [name.slice(6), valueOf(text)]),
  );
  const result =
    Object.keys(values).length > 0
      ? await session.queryBindAsync(sql, values, { format })
      : await session.queryAsync(sql, { format });
  return Buffer.from(result.bytes());
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname === '/ping') return response.end('Ok.\n');
  const chunks = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
    // A request without its end is not run.
    if (!request.complete) return response.destroy();
    const answer = await inTurn(() => run(searchParams, Buffer.concat(chunks).toString()));
    response.setHeader('X-ClickHouse-Summary', '{}');
    response.end(answer);
  } catch (error) {
    const code = /Code: (\d+)/.exec(error.message)?.[1] ?? '0';
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': code });
    response.end(error.message);
  }
});
server.listen(Number(port), '127.0.0.1');
await once(server, 'listening');
console.log('listening');

process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
