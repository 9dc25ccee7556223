import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { H264_OPTIONS, startHttpStream } from '../../server/test/servers/live-sources.ts';

const [WIDTH, HEIGHT, RATE] = [320, 180, 30];
/** Bits of the time in each frame, as columns of black and white. */
const BITS = 16;

/** A frame that shows the lowest bits of a time in milliseconds. */
function drawTime(ms: number): Buffer {
  const row = Buffer.alloc(WIDTH);
  const column = WIDTH / BITS;
  for (let bit = 0; bit < BITS; bit++) row.fill((ms >> bit) & 1 ? 235 : 16, bit * column, (bit + 1) * column);
  return Buffer.concat(Array.from({ length: HEIGHT }, () => row));
}

/** A camera whose frames show the time at which they were made, as a stream over HTTP. */
export async function startClockCamera() {
  const timers = new Set<NodeJS.Timeout>();
  const frames = createServer((socket) => {
    const timer = setInterval(() => socket.writableNeedDrain || socket.write(drawTime(Date.now())), 1_000 / RATE);
    timers.add(timer);
    socket.on('error', () => {});
    socket.on('close', () => clearInterval(timer));
  }).listen(0, '127.0.0.1');
  await once(frames, 'listening');
  const { port } = frames.address() as AddressInfo;
  const size = `${WIDTH}x${HEIGHT}`;
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-video_size', size, '-framerate', String(RATE)];
  // A busy machine makes fewer frames, whose times are those of the clock, as a camera's are.
  const timed = ['-use_wallclock_as_timestamps', '1', '-probesize', '32'];
  const input = [...raw, ...timed, '-i', `tcp://127.0.0.1:${port}`, '-fps_mode', 'passthrough'];
  const makes = [[...input, ...H264_OPTIONS, '-pix_fmt', 'yuv420p', '-flush_packets', '1', '-f', 'mpegts']];
  const stream = await startHttpStream('ffmpeg', { makes, contentType: 'video/mp2t' });
  return {
    url: stream.url,
    async stop() {
      await stream.stop();
      for (const timer of timers) clearInterval(timer);
      frames.close();
    },
  };
}

/** Source of a function that collects the age in seconds of each presented frame of a page's video. */
export const READ_AGES = `(seconds) => new Promise((resolve) => {
  const video = document.querySelector('video');
  const canvas = Object.assign(document.createElement('canvas'), { width: ${WIDTH}, height: 1 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const ages = [];
  const until = Date.now() + seconds * 1000;
  const read = () => {
    context.drawImage(video, 0, video.videoHeight / 2, video.videoWidth, 1, 0, 0, ${WIDTH}, 1);
    const { data } = context.getImageData(0, 0, ${WIDTH}, 1);
    let ms = 0;
    for (let bit = 0; bit < ${BITS}; bit++) {
      const x = Math.round((bit + 0.5) * ${WIDTH / BITS});
      if (data[x * 4] > 127) ms |= 1 << bit;
    }
    ages.push((((Date.now() - ms) % ${2 ** BITS}) + ${2 ** BITS}) % ${2 ** BITS} / 1000);
    if (Date.now() > until) resolve(ages);
    else video.requestVideoFrameCallback(read);
  };
  video.requestVideoFrameCallback(read);
})`;
