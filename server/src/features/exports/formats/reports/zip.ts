import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { EventSource, ExportedEvent, ExportMedia } from '../../types.ts';
import { writeCsv, writeJson } from '../table.ts';

/** Already compressed. */
const STORED = { compress: false };

/**
 * A ZIP archive with the events as CSV and JSON, and a clip and the evidence images of each. Names start with the
 * number of the event in the tables, from 1.
 */
export async function* writeZip(events: EventSource, media: ExportMedia): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;

  async function fill(): Promise<void> {
    zip.addBuffer(await collect(writeCsv(events)), 'events.csv');
    zip.addBuffer(await collect(writeJson(events)), 'events.json');
    let number = 0;
    for await (const event of events()) {
      const name = `${String(++number).padStart(4, '0')} ${toFileName(event)}`;
      for (const [index, frame] of event.frames.entries()) {
        const image = await media.image(event, frame);
        if (image) zip.addBuffer(image, `evidence/${name} ${index + 1}.jpg`, STORED);
      }
      await using clip = await media.clip(event);
      if (!clip) continue;
      const source = createReadStream(clip.path);
      zip.addReadStream(source, `clips/${name}.mp4`, STORED);
      // One clip at a time is on disk, and entries before it are written.
      await Promise.race([finished(source), finished(output)]);
    }
    zip.end();
  }

  const filled = fill().catch((error: Error) => output.destroy(error));
  try {
    for await (const piece of output) yield piece as Buffer;
  } finally {
    // Ends `fill` as well, if the file is no longer wanted.
    output.destroy();
    await filled;
  }
}

const toFileName = ({ label }: ExportedEvent) =>
  label
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 60)
    .trim();

async function collect(pieces: AsyncIterable<string>): Promise<Buffer> {
  const parts: string[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.from(parts.join(''));
}
