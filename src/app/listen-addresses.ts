import { once } from 'node:events';
import { createServer } from 'node:net';
import { BadSetting } from '../shared/bad-setting';
import type { Config } from './settings/config';

/**
 * Listens for a moment, so that a wrong address is reported before the database is opened.
 * @throws BadSetting if the process cannot listen on HOST, PORT or METRICS_PORT
 */
export async function requireUsableAddresses({
  host,
  port,
  metricsPort,
}: Pick<Config, 'host' | 'port' | 'metricsPort'>): Promise<void> {
  await requireUsable('PORT', port, host);
  if (metricsPort !== undefined) await requireUsable('METRICS_PORT', metricsPort, host);
}

async function requireUsable(name: 'PORT' | 'METRICS_PORT', port: number, host: string | undefined): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw faultOf(error as NodeJS.ErrnoException, name, port, host);
  }
  server.close();
  await once(server, 'close');
}

function faultOf(error: NodeJS.ErrnoException, name: string, port: number, host: string | undefined): Error {
  const noName = `HOST: the name ${host} has no address; set an address of this machine`;
  const noAddress = `HOST: ${host} is no address of this machine; set one that it has, or none for all`;
  const messages: Record<string, string> = {
    EADDRINUSE: `${name}: another program listens on ${port}; end it, or choose another port`,
    EACCES: `${name}: this user may not listen on ${port}; choose a port above 1023`,
    ENOTFOUND: noName,
    EAI_AGAIN: noName,
    EADDRNOTAVAIL: noAddress,
    EINVAL: noAddress,
  };
  const message = messages[error.code ?? ''];
  return message === undefined ? error : new BadSetting(message);
}
