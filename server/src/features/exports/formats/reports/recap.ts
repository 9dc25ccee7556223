import { createReadStream } from 'node:fs';
import type { EventSource, ExportMedia } from '../../types.ts';

/** All events one after the other with captions, as one MP4. Throws `export_empty` if no event has a video. */
export async function* writeRecap(events: EventSource, media: ExportMedia): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(await media.recap(events))) yield piece as Buffer;
}
