import { createClient, type SignpostClient, type SignpostClientOptions } from '../../clients/typescript/src/index';
import { deviations } from './described';
import type { TestService } from './service';

/** The generated client, which fails the test when an answer is not what the description says. */
export function aClient(on: TestService, token: SignpostClientOptions['token']): SignpostClient {
  const baseUrl = `${on.url}/api/v1`;
  const client = createClient({ baseUrl, token });
  client.use({
    async onResponse({ request, response }) {
      const text = response.headers.get('content-type')?.startsWith('application/json')
        ? await response.clone().text()
        : '';
      const path = new URL(request.url).pathname.slice('/api/v1'.length);
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const found = deviations(request.method, path, { status: response.status, headers: response.headers, body });
      if (found.length > 0) throw new Error(found.join('\n'));
    },
  });
  return client;
}
