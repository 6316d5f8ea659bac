import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that the kernel gives to connections, because any of these may be taken before the program listens. */
const [firstPort, endOfPorts] = [12_000, 32_000];
/** The first one of a range is that of its guard. */
const portsPerProcess = 100;
let portRange: Promise<number> | undefined;
let portsTaken = 0;

/**
 * Returns a port for a program that needs a configured one. No other process gets it from this function, also of another run, and nothing
 * listens there.
 * @throws Error if all ports of this process are taken
 */
export async function freePort(): Promise<number> {
  const first = await (portRange ??= claimPorts());
  for (let attempt = 1; attempt < portsPerProcess; attempt++) {
    const port = first + 1 + (portsTaken++ % (portsPerProcess - 1));
    const server = await listenOn(port);
    if (!server) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`Programs listen on all ports from ${first + 1} to ${first + portsPerProcess - 1}. End them.`);
}

/** Claims a range of ports by listening on its first one until this process ends. */
async function claimPorts(): Promise<number> {
  for (let first = firstPort; first < endOfPorts; first += portsPerProcess) {
    const guard = await listenOn(first);
    if (!guard) continue;
    guard.unref();
    return first;
  }
  throw new Error(`Other processes claim all ports from ${firstPort} to ${endOfPorts - 1}. End them.`);
}

/** Returns null if the port is taken. */
async function listenOn(port: number): Promise<Server | null> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return null;
  }
}
