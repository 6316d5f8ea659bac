import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Starts to listen on a free port of 127.0.0.1, and returns the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Ends a server with its connections. */
export async function endServer(server: Pick<HttpServer, 'closeAllConnections'> & Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
