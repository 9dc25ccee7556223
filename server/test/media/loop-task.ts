import { setImmediate } from 'node:timers/promises';
import { AV_NOPTS_VALUE, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Dictionary, FFmpegError, FormatContext, Packet } from 'node-av/lib';

/**
 * Repeats the packets of a video until it lasts `seconds`, without re-encoding. Timestamps continue without a gap;
 * audio is omitted.
 */
export async function loopTask({
  source,
  path,
  seconds,
}: {
  source: string;
  path: string;
  seconds: number;
}): Promise<void> {
  const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mp4', path), 'creating the file');
  let offset = 0n;
  let written = false;
  for (let end = 0n, ticksPerSecond = 1; !written || Number(end) / ticksPerSecond < seconds; offset = end) {
    const input = new FormatContext();
    check(input.openInputSync(`file:${source}`, null, null), 'opening the source');
    check(input.findStreamInfoSync(null), 'reading the source');
    const stream = input.streams[input.findBestStream(AVMEDIA_TYPE_VIDEO)]!;
    if (!written) {
      const track = output.newStream(null);
      check(stream.codecpar.copy(track.codecpar), 'describing the track');
      track.timeBase = stream.timeBase;
      check(output.openOutputSync(), 'opening the file');
      check(output.writeHeaderSync(Dictionary.fromObject({ movflags: 'faststart' })), 'writing the header');
      written = true;
    }
    ticksPerSecond = stream.timeBase.den / stream.timeBase.num;
    const packet = new Packet();
    packet.alloc();
    let first: bigint | null = null;
    while (input.readFrameSync(packet) >= 0) {
      if (packet.streamIndex === stream.index && packet.dts !== AV_NOPTS_VALUE) {
        first ??= packet.dts;
        packet.dts += offset - first;
        packet.pts += offset - first;
        end = packet.dts + packet.duration;
        packet.streamIndex = 0;
        packet.rescaleTs(stream.timeBase, output.streams[0]!.timeBase);
        check(output.interleavedWriteFrameSync(packet), 'writing a packet');
      }
      packet.unref();
    }
    packet.free();
    input.closeInputSync();
    // Lets the process report that it is alive.
    await setImmediate();
  }
  check(output.writeTrailerSync(), 'writing the index');
  output.closeOutputSync();
  output.freeContext();
}
