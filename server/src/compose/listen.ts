import type { AddressInfo } from 'node:net';
import type { Config } from '#platform/config/index';
import type { App } from '#platform/http/index';
import type { Media, RtmpListener, RtmpListenerOptions } from '#platform/media/index';
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
    throw cannotListen(error as NodeJS.ErrnoException, host, port, { host: 'SIGHTLINE_HOST', port: 'SIGHTLINE_PORT' });
  }
  const address = api.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}

/** Starts to receive what cameras push. Throws a Problem if the address cannot be used. */
export async function listenForRtmp(
  media: Pick<Media, 'receiveRtmp'>,
  options: RtmpListenerOptions,
): Promise<RtmpListener> {
  try {
    return await media.receiveRtmp(options);
  } catch (error) {
    const variable = 'SIGHTLINE_RTMP_LISTEN';
    throw cannotListen(error as NodeJS.ErrnoException, options.host, options.port, { host: variable, port: variable });
  }
}

/** A Problem with advice for the operator; other errors are returned unchanged. */
function cannotListen(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  variables: { host: string; port: string },
): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is used by another program. Stop that program, or set ${variables.port} to another port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set ${variables.host} to one that is, such as 127.0.0.1 or 0.0.0.0.`,
    EACCES: `This user may not listen on port ${port}. Set ${variables.port} to one above 1023.`,
    ENOTFOUND: `${host} is neither a known host name nor an address. Set ${variables.host} to an address of this machine.`,
  };
  const message = reasons[error.code ?? ''];
  return message ? new Problem({ status: 500, code: 'address_unavailable', message, cause: error }) : error;
}
