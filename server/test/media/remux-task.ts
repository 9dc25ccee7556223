import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FFmpegError, FormatContext, Packet } from 'node-av/lib';

/** Copies a video with its sound into another container, the one that `format` names as FFmpeg does. */
export function remuxTask({ source, path, format }: { source: string; path: string; format: string }): void {
  const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);
  const [input, output] = [new FormatContext(), new FormatContext()];
  check(input.openInputSync(`file:${source}`, null, null), 'opening the source');
  check(input.findStreamInfoSync(null), 'reading the source');
  check(output.allocOutputContext2(null, format, `file:${path}`), 'creating the file');
  const tracks = new Map(
    [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO]
      .map((type) => input.streams[input.findBestStream(type)])
      .filter((stream) => stream !== undefined)
      .map((stream) => {
        const track = output.newStream(null);
        check(stream.codecpar.copy(track.codecpar), 'describing a track');
        track.codecpar.codecTag = 0;
        track.timeBase = stream.timeBase;
        return [stream.index, { from: stream.timeBase, track }] as const;
      }),
  );
  check(output.openOutputSync(), 'opening the file');
  check(output.writeHeaderSync(null), 'writing the header');
  const packet = new Packet();
  packet.alloc();
  while (input.readFrameSync(packet) >= 0) {
    const target = tracks.get(packet.streamIndex);
    if (target) {
      packet.streamIndex = target.track.index;
      packet.rescaleTs(target.from, target.track.timeBase);
      packet.pos = -1n;
      check(output.interleavedWriteFrameSync(packet), 'writing a packet');
    }
    packet.unref();
  }
  packet.free();
  check(output.writeTrailerSync(), 'writing the index');
  output.closeOutputSync();
  output.freeContext();
  input.closeInputSync();
}
