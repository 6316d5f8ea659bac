import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { mintWebhookSecret, signatureOf } from '../../src/tenancy/webhooks/webhook-secret';
import { eventually, until } from '../support/eventually';
import { freePort } from '../support/free-port';
import { readPage } from '../support/pages';

const root = join(__dirname, '../..');
const page = readPage('docs/webhooks.md');
const sampleOf = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)![1]!;

const hasPython = spawnSync('python3', ['-c', 'import hashlib']).status === 0;

const samples: [language: string, command: string, args: string[], isAvailable: boolean][] = [
  ['js', process.execPath, ['--input-type=module', '-e', sampleOf('js')], true],
  ['python', 'python3', ['-u', '-c', sampleOf('python')], hasPython],
];

describe.each(samples)('the receiver in %s', (_, command, args, isAvailable) => {
  const secret = mintWebhookSecret();
  let port: number;
  let program: ChildProcess;
  let output = '';
  const test_ = isAvailable ? test : test.skip;

  beforeAll(async () => {
    if (!isAvailable) return;
    port = await freePort();
    program = spawn(command, args, {
      cwd: root,
      env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    program.stdout!.on('data', (text: Buffer) => (output += text.toString()));
    await eventually(() => send('first', {}).catch(() => false as const));
  });
  afterAll(async () => {
    if (!isAvailable) return;
    const ended = once(program, 'exit');
    program.kill('SIGKILL');
    await ended;
  });

  const send = async (id: string, fault: { age?: number; body?: string; secret?: string }): Promise<number> => {
    const timestamp = Math.floor(Date.now() / 1000) - (fault.age ?? 0);
    const body = JSON.stringify({ type: 'link.updated', subject: id });
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf({ id, timestamp, body }, [mintWebhookSecret(), fault.secret ?? secret]),
      },
      body: fault.body ?? body,
    });
    return response.status;
  };

  test_('accepts a genuine event, and handles a repetition once', async () => {
    expect([await send('one', {}), await send('one', {}), await send('two', {})]).toEqual([204, 204, 204]);
    await until(() => output.includes('link.updated two'));
    expect(output.match(/link\.updated one/g)).toHaveLength(1);
  });

  test_.each<[fault: string, Parameters<typeof send>[1]]>([
    ['another secret', { secret: mintWebhookSecret() }],
    ['another body', { body: '{"type":"link.deleted"}' }],
    ['an old time', { age: 301 }],
    ['a time in the future', { age: -360 }],
  ])('refuses %s', async (_fault, fault) => {
    expect(await send('forged', fault)).toBe(400);
  });
});
