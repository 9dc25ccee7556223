import type { FastifyReply } from 'fastify';

/** Longest time in milliseconds that a client may leave a response unread. */
export const UNREAD_TIMEOUT_MS = 60_000;

/** Closes the connection of a client that reads nothing for that time although more data is pending. */
export function closeUnreadResponse({ raw }: FastifyReply, unreadMs: number): void {
  raw.setTimeout(unreadMs, () => {
    // A stream without new events is idle too, but has no pending data.
    if ((raw.socket?.writableLength ?? 0) > 0) raw.destroy();
  });
}
