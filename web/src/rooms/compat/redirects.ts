import { redirect } from '@tanstack/react-router';
import { api } from '#api/client.ts';

export function redirectToBatch(batchId: string): never {
  throw redirect({ to: '/questions/$batchId', params: { batchId }, replace: true });
}

export function redirectToDataset(datasetId: string): never {
  throw redirect({ to: '/datasets/$datasetId', params: { datasetId }, replace: true });
}

/** Redirects to the recording of a live session, where the session is shown, or to the list of sessions. */
export async function redirectToSession(stream_id: string, session_id: string): Promise<never> {
  const path = { stream_id, session_id };
  const session = await api
    .GET('/api/live/live-sessions/{stream_id}/{session_id}', { params: { path } })
    .then(({ data }) => data!)
    // The list explains itself what there is.
    .catch(() => null);
  if (session) throw redirect({ to: '/videos/$videoId', params: { videoId: session.video_id }, replace: true });
  throw redirect({ to: '/live', replace: true });
}
