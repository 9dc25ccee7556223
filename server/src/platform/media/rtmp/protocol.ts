import Rtmp, { type AvPacket } from 'node-media-server/src/protocol/rtmp.js';

/** Request of a connected client: to publish with a key, or to play the stream of a camera. */
export type RtmpRequest = { kind: 'publish' | 'play'; app: string; name: string; query: URLSearchParams };

/** Longest message before a client was accepted, and after: a keyframe of 4K at a high bitrate has some megabytes. */
const FIRST_MESSAGE_BYTES = 16 * 2 ** 10;
const MESSAGE_BYTES = 8 * 2 ** 20;
/** Messages that are being received at the same time, and the memory for all of them. Encoders use four. */
const CHUNK_STREAMS = 16;
const ASSEMBLED_BYTES = 16 * 2 ** 20;
const CHUNK_BYTES = 2 ** 24;
/** Longest name of an application or a stream. */
const NAME_LENGTH = 512;
/** Received bytes after which the client gets an acknowledgment; some wait for it. */
const ACKNOWLEDGED_BYTES = 2_500_000;

type On = { output: (bytes: Buffer) => void; packet: (packet: AvPacket) => void; request: (to: RtmpRequest) => void };

/**
 * The RTMP of the library, with bounds: it would keep a buffer of 16 MB for each of 65,000 chunk streams, and would
 * confirm a stream before anyone has checked its key. `parserData` throws on what exceeds a bound.
 */
export class BoundedRtmp extends Rtmp {
  #isAccepted = false;
  #hasRequested = false;
  #received = 0;
  #acknowledged = 0;
  readonly #on: On;

  constructor(on: On) {
    super();
    this.#on = on;
    this.onOutputCallback = on.output;
    this.onPacketCallback = (packet) => {
      // Before that, nothing is part of a stream.
      if (this.#isAccepted && packet.size > 0) on.packet(packet);
    };
  }

  override parserData(bytes: Buffer): string | null {
    this.#received += bytes.length;
    const failure = super.parserData(bytes);
    if (this.#isAccepted && this.#received - this.#acknowledged >= ACKNOWLEDGED_BYTES) {
      this.#acknowledged = this.#received;
      this.sendACK(this.#received % 2 ** 32);
    }
    return failure;
  }

  override packetParse(): void {
    super.packetParse();
    if (this.inPackets.size > CHUNK_STREAMS) throw new Error(`more than ${CHUNK_STREAMS} chunk streams`);
  }

  override packetAlloc(): void {
    const { length } = this.parserPacket.header;
    if (length > (this.#isAccepted ? MESSAGE_BYTES : FIRST_MESSAGE_BYTES))
      throw new Error(`a message of ${length} bytes`);
    super.packetAlloc();
    let assembled = 0;
    for (const { capacity } of this.inPackets.values()) assembled += capacity;
    if (assembled > ASSEMBLED_BYTES) throw new Error(`messages of ${assembled} bytes together`);
  }

  override packetHandler(): void {
    // A header in the middle of a message may have made it longer than the buffer that it got.
    if (this.parserPacket.header.length > this.parserPacket.capacity) throw new Error('a message that grew');
    super.packetHandler();
  }

  override controlHandler(): void {
    super.controlHandler();
    if (this.inChunkSize < 1 || this.inChunkSize > CHUNK_BYTES) throw new Error(`chunks of ${this.inChunkSize} bytes`);
  }

  override onPublish({ streamName }: { streamName: string }): void {
    this.#request('publish', streamName);
  }

  override onPlay({ streamName }: { streamName: string }): void {
    this.#request('play', streamName);
  }

  #request(kind: RtmpRequest['kind'], streamName: string): void {
    if (this.#hasRequested) throw new Error('a second stream on one connection');
    this.#hasRequested = true;
    const { streamApp: app } = this;
    if (typeof app !== 'string' || typeof streamName !== 'string') throw new Error('a stream without a name');
    if (app.length > NAME_LENGTH || streamName.length > NAME_LENGTH) throw new Error('a name that is too long');
    this.streamId = this.parserPacket.header.stream_id;
    const [name = '', query = ''] = streamName.split('?', 2);
    this.#on.request({ kind, app, name, query: new URLSearchParams(query) });
  }

  /** Tells the client that its request is accepted. */
  accept(kind: RtmpRequest['kind']): void {
    this.#isAccepted = true;
    if (kind === 'publish') this.respondPublish();
    else this.respondPlay();
  }

  /** Tells the client why its request is refused. */
  refuse(kind: RtmpRequest['kind'], reason: string): void {
    const code = kind === 'publish' ? 'NetStream.Publish.BadName' : 'NetStream.Play.StreamNotFound';
    this.sendStatusMessage(this.streamId, 'error', code, reason);
  }
}

/** A packet as an RTMP message to a player. */
export const toMessage = (packet: AvPacket): Buffer =>
  Rtmp.createMessage({ ...packet, data: packet.data.subarray(0, packet.size) });

export type { AvPacket };
