import { AV_CODEC_ID_MOV_TEXT, AVMEDIA_TYPE_SUBTITLE, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Dictionary, FFmpegError, FormatContext, Packet, Rational } from 'node-av/lib';

/** Copies a video's pictures and puts captions beside them, each a second long, as drones do. */
export function captionsTask({ source, path, texts }: { source: string; path: string; texts: string[] }): void {
  const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);
  const input = new FormatContext();
  check(input.openInputSync(`file:${source}`, null, null), 'opening the source');
  check(input.findStreamInfoSync(null), 'reading the source');
  const video = input.streams[input.findBestStream(AVMEDIA_TYPE_VIDEO)]!;
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mp4', path), 'creating the file');
  const pictures = output.newStream(null);
  check(video.codecpar.copy(pictures.codecpar), 'describing the pictures');
  pictures.timeBase = video.timeBase;
  const track = output.newStream(null);
  track.codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
  track.codecpar.codecId = AV_CODEC_ID_MOV_TEXT;
  track.timeBase = new Rational(1, 1_000);
  check(output.openOutputSync(), 'opening the file');
  check(output.writeHeaderSync(Dictionary.fromObject({ movflags: 'faststart' })), 'writing the header');
  const packet = new Packet();
  packet.alloc();
  for (const [second, text] of texts.entries()) {
    const bytes = Buffer.from(text);
    packet.data = Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
    packet.pts = packet.dts = BigInt(second * 1_000);
    packet.duration = 1_000n;
    packet.streamIndex = track.index;
    packet.rescaleTs(new Rational(1, 1_000), track.timeBase);
    check(output.interleavedWriteFrameSync(packet), 'writing a caption');
    packet.unref();
  }
  while (input.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === video.index) {
      packet.streamIndex = pictures.index;
      packet.rescaleTs(video.timeBase, pictures.timeBase);
      check(output.interleavedWriteFrameSync(packet), 'writing a picture');
    }
    packet.unref();
  }
  packet.free();
  check(output.writeTrailerSync(), 'writing the index');
  output.closeOutputSync();
  input.closeInputSync();
}
