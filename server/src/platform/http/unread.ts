import type { FastifyReply } from 'fastify';

/** How long a client may leave what was sent to it unread, in milliseconds. */
export const UNREAD_MS = 60_000;

/** Ends the connection of a client that reads nothing of a response for that long although there is more for it. */
export function endUnread({ raw }: FastifyReply, unreadMs: number): void {
  raw.setTimeout(unreadMs, () => {
    // A stream that has nothing to say is silent, too.
    if ((raw.socket?.writableLength ?? 0) > 0) raw.destroy();
  });
}
