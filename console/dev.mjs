// For npm run dev: serves the console from its sources, so that a page shows each change at once.
import { createServer } from 'vite';

/**
 * @param servicePort port of the service, which answers `/api`
 * @returns a function that stops it
 */
export async function serveConsole(servicePort) {
  const server = await createServer({
    root: import.meta.dirname,
    logLevel: 'warn',
    server: { proxy: { '/api': `http://localhost:${servicePort}` } },
  });
  await server.listen();
  console.log(`dev: the console with each change: ${server.resolvedUrls.local[0]}`);
  return () => server.close();
}
