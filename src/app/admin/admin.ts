import { parseArgs } from 'node:util';
import { plans } from '../../tenancy/accounts/plan';
import { commands, type Work } from './admin-commands';
import { type Options, UsageError } from './admin-options';

const usage = `Usage: npm run --silent admin -- COMMAND [--json]

  account create   --name NAME --plan ${plans.join('|')} [--email EMAIL]
  account list     [--name TEXT]
  account set-plan --account ID --plan ${plans.join('|')}
  account disable  --account ID
  account enable   --account ID
  account end-approvals --account ID
  account erase    --account ID --name NAME
  user list        --account ID
  user export      --account ID --user ID
  user erase       --account ID --user ID
  key create       --account ID --name NAME [--expires ISO-DATE-TIME]
  key list         --account ID
  key revoke       --key ID
  member set       --account ID --email ADDRESS | --subject TEXT --role viewer|editor|admin|owner
  project set-hosts --account ID --project ID --hosts HOST,HOST
  region add       --name NAME [--rebuild] [--subscription-url URL]
  region status
  region remove    --name NAME [--force]
  clicks copy
  clicks verify
  audit verify     [--account ID]

The answer is JSON, on one line with --json, and nothing else is printed on standard output. A key's secret is shown once, when it is made.
`;

/** Runs one command, or prints the usage. Errors go to standard error, with exit code 1, or with the usage and exit code 2. */
export async function runAdmin(argv: string[]): Promise<void> {
  try {
    await run(argv);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    process.stderr.write(isUsage ? `${error.message}\n\n${usage}` : `${await reasonOf(error)}\n`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

/** Loads the errors of databases last, as `withServices` does. */
const reasonOf = async (error: unknown): Promise<string> =>
  (await import('../../platform/clickhouse/failure-reason.js')).failureReason(error);

const isHelp = (argv: string[]): boolean => argv[0] === 'help' || argv.includes('--help') || argv.includes('-h');

async function run(argv: string[]): Promise<void> {
  if (isHelp(argv)) {
    process.stdout.write(usage);
    return;
  }
  const { work, json } = readArguments(argv);
  const answer = await work();
  process.stdout.write(`${JSON.stringify(answer, null, json ? 0 : 2)}\n`);
}

const flags: ReadonlySet<string> = new Set(['json', 'rebuild', 'force']);
const optionNames = ['json', ...Object.values(commands).flatMap(({ takes }) => takes)];

function readArguments(argv: string[]): { work: Work; json: boolean } {
  let parsed;
  try {
    parsed = parseArgs({
      args: argv,
      allowPositionals: true,
      options: Object.fromEntries(optionNames.map((name) => [name, { type: flags.has(name) ? 'boolean' : 'string' }])),
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const name = parsed.positionals.join(' ');
  const command = Object.hasOwn(commands, name) && commands[name];
  if (!command) throw new UsageError(`unknown command: ${name || '(none)'}`);
  const options: Options = parsed.values;
  const foreign = Object.keys(options).find((name) => name !== 'json' && !command.takes.includes(name));
  if (foreign) throw new UsageError(`this command takes no --${foreign}`);
  return { work: command.read(options), json: options['json'] === true };
}
