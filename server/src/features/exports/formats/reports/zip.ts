import { createReadStream } from 'node:fs';
import type { EventSource, ExportedEvent, ExportMedia } from '../../types.ts';
import { writeArchive } from '../archive.ts';
import { writeCsv, writeJson } from '../table.ts';

/**
 * A ZIP archive with the events as CSV and JSON, and a clip and the evidence images of each. Names start with the
 * number of the event in the tables, from 1.
 */
export const writeZip = (events: EventSource, media: ExportMedia): AsyncGenerator<Uint8Array> =>
  writeArchive(async (archive) => {
    archive.add('events.csv', await collect(writeCsv(events)));
    archive.add('events.json', await collect(writeJson(events)));
    let number = 0;
    for await (const event of events()) {
      const name = `${String(++number).padStart(4, '0')} ${toFileName(event)}`;
      for (const [index, frame] of event.frames.entries()) {
        const image = await media.image(event, frame);
        if (image) archive.add(`evidence/${name} ${index + 1}.jpg`, image, 'stored');
      }
      await using clip = await media.clip(event);
      if (clip) await archive.stream(`clips/${name}.mp4`, createReadStream(clip.path), 'stored');
    }
  });

const toFileName = ({ label }: ExportedEvent) =>
  label
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 60)
    .trim();

async function collect(pieces: AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  for await (const piece of pieces) parts.push(piece);
  return parts.join('');
}
