import { createClient, type SignpostClient, type SignpostClientOptions } from '../../clients/typescript/src/index';
import { responseFaults } from './response-validation';
import type { TestService } from './service';

/** Creates the generated client. Its requests throw if a response does not match the API description. */
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
      const faults = responseFaults(request.method, path, {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body,
      });
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
  });
  return client;
}
