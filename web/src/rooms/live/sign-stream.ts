import { api } from '#api/client.ts';
import type { SignStream } from '#player/live/live-player.ts';
import { ownAddress } from '#rooms/analyses/types.ts';

/** Signs the manifest of a session. `preview`: with a short playlist of whole segments, for many players at once. */
export const signStream =
  (sessionId: string, { preview = false } = {}): SignStream =>
  async (startS) => {
    const query = { ...(startS === null ? {} : { start_s: startS }), ...(preview ? { preview } : {}) };
    const params = { path: { session_id: sessionId }, query };
    const { url, expires_at } = (await api.POST('/api/live/session/{session_id}/signed-manifest', { params })).data!;
    return { url: ownAddress(url), expiresAt: Date.parse(expires_at) };
  };
