import { Agent, request } from 'node:http';
import { aProject } from '../../support/builders';
import { aService, type TestService } from '../../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());

test('requests of one connection count for the callers of their credentials', async () => {
  const [mine, other] = [await on.anAccount(), await on.anAccount()];
  const project = await aProject(on, mine.key);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  const statusOf = (authorization: string | string[] | undefined): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(`${on.url}/api/v1/projects/${project.id}`, { agent }, (response) => {
        ports.add(response.socket.localPort);
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject);
      if (authorization !== undefined) sent.setHeader('Authorization', authorization);
      sent.end();
    });
  const mineSent = `Bearer ${mine.key}`;
  const sequence: [authorization: string | string[] | undefined, status: number][] = [
    [mineSent, 200],
    [`Bearer ${other.key}`, 403],
    [mineSent, 200],
    [undefined, 401],
    [mineSent, 200],
    [[mineSent, mineSent], 401],
    [`Bearer ${mine.key.slice(0, -1)}`, 401],
    [`bearer   ${mine.key}`, 200],
    [`Basic ${mine.key}`, 401],
    [mineSent, 200],
  ];
  try {
    for (const [authorization, status] of sequence)
      expect([authorization, await statusOf(authorization)]).toEqual([authorization, status]);
    expect(ports.size).toBe(1);
  } finally {
    agent.destroy();
  }
});
