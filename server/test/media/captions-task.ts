import {
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_WEBVTT,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { Dictionary, FFmpegError, FormatContext, Packet, Rational } from 'node-av/lib';

const CODECS = {
  mov_text: AV_CODEC_ID_MOV_TEXT,
  subrip: AV_CODEC_ID_SUBRIP,
  ass: AV_CODEC_ID_ASS,
  webvtt: AV_CODEC_ID_WEBVTT,
};

/** A track of subtitles. `data`: the bytes of a packet, as the container stores them. */
export type SubtitleTrack = {
  codec: keyof typeof CODECS;
  /** ISO 639-2. */
  language?: string;
  /** Codec header. */
  header?: string;
  captions: readonly { startS: number; durationS: number; data: Uint8Array }[];
};

type CaptionsArgs = { source: string; path: string; format: 'mp4' | 'matroska'; tracks: readonly SubtitleTrack[] };

/** Copies the packets of a video and writes tracks of subtitles beside them. */
export function captionsTask({ source, path, format, tracks }: CaptionsArgs): void {
  const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);
  const input = new FormatContext();
  check(input.openInputSync(`file:${source}`, null, null), 'opening the source');
  check(input.findStreamInfoSync(null), 'reading the source');
  const video = input.streams[input.findBestStream(AVMEDIA_TYPE_VIDEO)]!;
  const output = new FormatContext();
  check(output.allocOutputContext2(null, format, path), 'creating the file');
  const pictures = output.newStream(null);
  check(video.codecpar.copy(pictures.codecpar), 'describing the pictures');
  pictures.codecpar.codecTag = 0;
  pictures.timeBase = video.timeBase;
  const streams = tracks.map(({ codec, language, header }) => {
    const stream = output.newStream(null);
    stream.codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
    stream.codecpar.codecId = CODECS[codec];
    if (header !== undefined) stream.codecpar.extradata = Buffer.from(header);
    if (language !== undefined) stream.metadata = Dictionary.fromObject({ language });
    stream.timeBase = new Rational(1, 1_000);
    return stream;
  });
  check(output.openOutputSync(), 'opening the file');
  check(output.writeHeaderSync(Dictionary.fromObject({ movflags: 'faststart' })), 'writing the header');
  const packet = new Packet();
  packet.alloc();
  for (const [track, { captions }] of tracks.entries()) {
    for (const { startS, durationS, data } of captions) {
      packet.data = Buffer.from(data);
      packet.pts = packet.dts = BigInt(Math.round(startS * 1_000));
      packet.duration = BigInt(Math.round(durationS * 1_000));
      packet.streamIndex = streams[track]!.index;
      packet.rescaleTs(new Rational(1, 1_000), streams[track]!.timeBase);
      check(output.interleavedWriteFrameSync(packet), 'writing a caption');
      packet.unref();
    }
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
