import type { ApiClient } from '#test/http';

export type SseEvent = { id: number; event: string; data: Record<string, unknown> };

export function openStream(
  api: ApiClient,
  streamId: string,
  { lastId, signal, key = 'alice' }: { lastId?: number; signal?: AbortSignal; key?: string } = {},
): Promise<Response> {
  const query = lastId === undefined ? '' : `?last_id=${lastId}`;
  return fetch(`${api.base}/api/router/v2/query/events/${streamId}${query}`, { headers: { 'x-api-key': key }, signal });
}

/** Reads server-sent events until the response ends or the request is aborted. */
export async function readEvents(
  response: Response,
  onEvent: (event: SseEvent) => void = () => {},
): Promise<SseEvent[]> {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const events: SseEvent[] = [];
  let rest = '';
  try {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
        );
        if (fields.data === undefined) continue;
        events.push({ id: Number(fields.id), event: fields.event!, data: JSON.parse(fields.data) });
        onEvent(events.at(-1)!);
      }
    }
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
  }
  return events;
}
