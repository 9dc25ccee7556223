import { CustomSource, type EncodedPacket, EncodedPacketSink, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import { isDisposable, lengthSizeOf } from './avc.ts';
import { ByteRanges } from './byte-ranges.ts';

/**
 * Called with decoded frames, which are valid during the call only: a keyframe before the requested time, then the
 * frame of that time (`isExact`).
 */
export type DrawFrame = (frame: VideoFrame, isExact: boolean) => void;

/** Decodes single frames of a file. */
export type FrameDecoder = {
  /**
   * Decodes the frame that is shown at a time in seconds. Resolves with the start of that frame once it was drawn, and
   * with null if a later call took its place. Rejects if the file cannot be read or decoded.
   */
  show(timeS: number, draw: DrawFrame): Promise<number | null>;
  close(): void;
};

type Request = { timeS: number; draw: DrawFrame; resolve: (timeS: number | null) => void };

/** Bytes of the file that are cached, for seeks near to earlier ones. */
const CACHE_BYTES = 32 * 2 ** 20;
/** Bytes between the packets of a track, such as those of its sound, as a share of its own. */
const INTERLEAVED = 0.15;
/** A seek that goes this far ends the decoding for the one before it; between nearby ones, each is finished. */
const FAR_S = 1;

/** Opens a file at a URL; null if the browser cannot decode its frames one by one, or would show them differently. */
export async function openFrameDecoder(url: string): Promise<FrameDecoder | null> {
  const ranges = new ByteRanges(url, CACHE_BYTES);
  const source = new CustomSource({
    getSize: () => ranges.size(),
    read: (start, end) => ranges.read(start, end),
    dispose: () => ranges.close(),
    // A read that nobody waits for any more.
    handleUnhandledError: () => {},
  });
  const input = new Input({ source, formats: [MP4, QTFF, MATROSKA, WEBM] });
  try {
    const track = await input.getPrimaryVideoTrack();
    const config = await track?.getDecoderConfig();
    // A canvas turns no frames, and shows other colors than the element.
    const isPlain = track && (await track.getRotation()) === 0 && !(await track.hasHighDynamicRange());
    const format = await input.getFormat();
    const hasIndex = format === MP4 || format === QTFF;
    if (config && isPlain && (await VideoDecoder.isConfigSupported(config)).supported)
      return createFrameDecoder({
        input,
        packets: new EncodedPacketSink(track),
        config,
        ranges: hasIndex ? ranges : null,
      });
  } catch {
    // The element reports files that cannot be read.
  }
  input.dispose();
  return null;
}

/** `ranges`: of a file whose index has the size of each packet, which is known before any of them is read. */
function createFrameDecoder({
  input,
  packets,
  config,
  ranges,
}: {
  input: Input;
  packets: EncodedPacketSink;
  config: VideoDecoderConfig;
  ranges: ByteRanges | null;
}): FrameDecoder {
  const lengthSize = config.codec.startsWith('avc') ? lengthSizeOf(config.description) : null;
  let take: ((frame: VideoFrame) => void) | null = null;
  let fail: (error: Error) => void = () => {};
  const decoder = new VideoDecoder({
    output: (frame) => {
      take?.(frame);
      frame.close();
    },
    error: (error) => fail(error),
  });
  let next: Request | null = null;
  let running: Promise<void> | null = null;
  /** Looks whether the current decoding is still of use. */
  let review = () => {};
  /** Ends when the decoder has returned all frames of the last decoding. */
  let flushed = Promise.resolve();

  /** Bytes of the packets from a keyframe to a target. */
  async function measureSize(timeS: number, target: EncodedPacket): Promise<number> {
    const options = { metadataOnly: true };
    let bytes = 0;
    let packet = await packets.getKeyPacket(timeS, options);
    for (
      ;
      packet && packet.sequenceNumber <= target.sequenceNumber;
      packet = await packets.getNextPacket(packet, options)
    )
      bytes += packet.byteLength;
    return bytes;
  }

  /** Decodes what the frame depends on, and no other frames. Returns its time; null without it. */
  async function decode({ timeS, draw }: Request): Promise<number | null> {
    const target = await packets.getPacket(timeS, { metadataOnly: true });
    if (target) ranges?.expect((await measureSize(timeS, target)) * (1 + INTERLEAVED));
    let packet = target && (await packets.getKeyPacket(timeS));
    // Before the first frame.
    if (!target || !packet) return null;
    await flushed;
    if (decoder.state === 'unconfigured') decoder.configure(config);
    const done = Promise.withResolvers<number | null>();
    done.promise.catch(() => {});
    let drawn = false;
    let isReplaced = false;
    // Not before something was drawn: fast seeks show more than their last frame.
    review = () => {
      if (!drawn || !next || Math.abs(next.timeS - timeS) < FAR_S) return;
      isReplaced = true;
      done.resolve(null);
    };
    fail = done.reject;
    take = (frame) => {
      const isExact = frame.timestamp === target.microsecondTimestamp;
      if (drawn && !isExact) return;
      draw(frame, isExact);
      drawn = true;
      if (isExact) done.resolve(target.timestamp);
      else review();
    };
    try {
      for (
        ;
        packet && packet.sequenceNumber <= target.sequenceNumber && !isReplaced;
        packet = await packets.getNextPacket(packet)
      ) {
        const isTarget = packet.sequenceNumber === target.sequenceNumber;
        if (isTarget || lengthSize === null || !isDisposable(packet.data, lengthSize))
          decoder.decode(packet.toEncodedVideoChunk());
      }
      flushed = decoder.flush().catch(() => {});
      const shown = await Promise.race([done.promise, flushed.then(() => null)]);
      if (shown === null && decoder.state === 'configured') decoder.reset();
      return shown;
    } finally {
      take = null;
      review = () => {};
    }
  }

  async function run(): Promise<void> {
    while (next) {
      const request: Request = next;
      next = null;
      request.resolve(await decode(request));
    }
  }

  return {
    show(timeS, draw) {
      const { promise, resolve } = Promise.withResolvers<number | null>();
      next?.resolve(null);
      next = { timeS, draw, resolve };
      review();
      running ??= run().finally(() => {
        running = null;
      });
      return Promise.race([promise, running.then(() => null)]);
    },
    close() {
      next?.resolve(null);
      next = null;
      if (decoder.state !== 'closed') decoder.close();
      input.dispose();
    },
  };
}
