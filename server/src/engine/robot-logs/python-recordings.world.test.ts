// Recordings that another implementation wrote: the format's Python library.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { grayImage, recordingTimeNs } from '#test/mcap/recordings';
import { createTestMedia } from '#test/media/clips';
import { temporaryFolder } from '#test/temporary-folder';
import { createRecordings } from './index.ts';

const { mcapPython } = inject('programs');
const SCRIPT = fileURLToPath(new URL('../../../test/mcap/recording.py', import.meta.url));

test.runIf(mcapPython).each(['LZ4', 'ZSTD', 'NONE'])(
  'cameras, an IMU and a gap, compressed by %s',
  async (compression) => {
    const folder = await temporaryFolder();
    const [picture, path] = [join(folder, 'picture.jpg'), join(folder, 'drive.mcap')];
    await writeFile(picture, grayImage(128));
    await promisify(execFile)(mcapPython!, [SCRIPT, path, picture, compression]);

    const media = await createTestMedia();
    const recordings = createRecordings({ media });
    const { channels, indexed, losses } = await recordings.survey({ path });
    expect({ indexed, losses }).toEqual({ indexed: true, losses: [] });
    const convert = (name: string) =>
      recordings.convertChannel({
        place: { path },
        folder,
        chunkSizeS: null,
        channelId: channels.find((channel) => channel.name === name)!.id,
      });
    expect(await convert('/front')).toMatchObject({
      notes: [],
      parts: [{ frames: 20, startNs: recordingTimeNs(0), gaps: [] }],
    });
    expect(await convert('/left')).toMatchObject({
      notes: [],
      parts: [{ frames: 40, startNs: recordingTimeNs(0), gaps: [] }],
    });
    expect(await convert('/rear')).toMatchObject({
      notes: [],
      parts: [
        {
          frames: 7,
          startNs: recordingTimeNs(0.25),
          gaps: [{ startNs: recordingTimeNs(0.85), endNs: recordingTimeNs(1.65) }],
        },
      ],
    });
    const telemetry = (await recordings.readTelemetry({ path }))!;
    expect(telemetry.sources).toEqual({ accelerationMps2: '/imu' });
    expect(telemetry.columns.accelerationMps2!.at(20)).toBeCloseTo(-6);
    await media.close();
  },
);
