import type { AddressInfo } from 'node:net';
import type { Config } from '#platform/config/index';
import type { App } from '#platform/http/index';
import { Problem } from '#platform/problem';

/** Time for requests under way once the service stops. Their connections are then closed. */
const GRACE_MS = 5_000;

/** Stops listening and waits for requests under way, for a limited time. */
export async function closeApi(api: App): Promise<void> {
  const timer = setTimeout(() => api.server.closeAllConnections(), GRACE_MS);
  await api.close();
  clearTimeout(timer);
}

/** Listens on the configured address and returns its URL. Throws a Problem if the address cannot be used. */
export async function listen(api: App, { host, port }: Config): Promise<string> {
  try {
    await api.listen({ host, port });
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, host, port);
  }
  const address = api.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}

/** A Problem with advice for the operator; other errors are returned unchanged. */
function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is used by another program. Stop that program, or set SIGHTLINE_PORT to another port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set SIGHTLINE_HOST to one that is, such as 127.0.0.1 or 0.0.0.0.`,
    EACCES: `This user may not listen on port ${port}. Set SIGHTLINE_PORT to one above 1023.`,
    ENOTFOUND: `${host} is neither a known host name nor an address. Set SIGHTLINE_HOST to an address of this machine.`,
  };
  const message = reasons[error.code ?? ''];
  return message ? new Problem({ status: 500, code: 'address_unavailable', message, cause: error }) : error;
}
