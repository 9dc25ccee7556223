// Recordings that another implementation wrote: the format's Python library.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { createTestMedia } from '#test/clips';
import { temporaryFolder } from '#test/folder';
import { afterNs, stillPicture } from '#test/recordings';
import { createRecordings } from './index.ts';

const { mcapPython } = inject('programs');
const SCRIPT = fileURLToPath(new URL('../../../test/recording.py', import.meta.url));

test.runIf(mcapPython).each(['LZ4', 'ZSTD', 'NONE'])(
  'cameras, an IMU and a gap, compressed by %s',
  async (compression) => {
    const folder = await temporaryFolder();
    const [picture, path] = [join(folder, 'picture.jpg'), join(folder, 'drive.mcap')];
    await writeFile(picture, stillPicture(128));
    await promisify(execFile)(mcapPython!, [SCRIPT, path, picture, compression]);

    const media = await createTestMedia();
    const recordings = createRecordings({ media });
    const { channels, indexed, losses } = await recordings.survey({ path });
    expect({ indexed, losses }).toEqual({ indexed: true, losses: [] });
    const filmOf = (name: string) =>
      recordings.film({
        ...{ place: { path }, folder, partS: null },
        channelId: channels.find((channel) => channel.name === name)!.id,
      });
    expect(await filmOf('/front')).toMatchObject({ notes: [], parts: [{ frames: 20, startNs: afterNs(0), gaps: [] }] });
    expect(await filmOf('/left')).toMatchObject({ notes: [], parts: [{ frames: 40, startNs: afterNs(0), gaps: [] }] });
    expect(await filmOf('/rear')).toMatchObject({
      notes: [],
      parts: [{ frames: 7, startNs: afterNs(0.25), gaps: [{ startNs: afterNs(0.85), endNs: afterNs(1.65) }] }],
    });
    const telemetry = (await recordings.telemetry({ path }))!;
    expect(telemetry.sources).toEqual({ accelerationMps2: '/imu' });
    expect(telemetry.columns.accelerationMps2!.at(20)).toBeCloseTo(-6);
    await media.close();
  },
);
