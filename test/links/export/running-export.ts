import { get, type IncomingMessage } from 'node:http';
import type { TestService } from '../../support/service';

/** An export whose client reads only when it is asked to. */
export class RunningExport {
  private constructor(private readonly response: IncomingMessage) {}

  static async start(on: TestService, key: string, projectId: string): Promise<RunningExport> {
    const path = `/projects/${projectId}/links/export?format=ndjson`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${on.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${key}` }, agent: false }, resolve).on(
        'error',
        reject,
      );
    });
    if (response.statusCode !== 200) throw new Error(`The export was refused with ${response.statusCode}.`);
    return new RunningExport(response);
  }

  /**
   * Reads to the end.
   * @throws Error if the connection closes before
   */
  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.response) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }

  async links(): Promise<Record<string, unknown>[]> {
    return linesOf(await this.text());
  }

  close(): void {
    this.response.destroy();
  }
}

export const linesOf = (ndjson: string): Record<string, unknown>[] =>
  ndjson
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Inserts links of one moment, so that only their ids are in order. */
export async function manyLinks(on: TestService, projectId: string, count: number, notesLength = 0): Promise<void> {
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, notes)
     SELECT gen_random_uuid(), $1, 'Link ' || n, 'many-' || n, repeat('x', $3) FROM generate_series(1, $2::int) n`,
    [projectId, count, notesLength],
  );
}
