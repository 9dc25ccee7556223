// The package has no types. These are those of its RTMP protocol class, which is used alone.
declare module 'node-media-server/src/protocol/rtmp.js' {
  type RtmpHeader = { length: number; type: number; stream_id: number };
  type Invoke = { transId: number; streamName: string; cmdObj: { app: unknown; tcUrl: unknown } };
  /** `flags`: 0 audio header, 1 audio, 2 video header, 3 keyframe, 4 other frame, 5 metadata. */
  export type AvPacket = { codec_type: number; flags: number; dts: number; size: number; data: Buffer };

  export default class Rtmp {
    static createMessage(packet: AvPacket): Buffer;
    inChunkSize: number;
    inPackets: Map<number, { capacity: number }>;
    parserPacket: { header: RtmpHeader; capacity: number };
    streamApp: unknown;
    streamId: number;
    onOutputCallback: (bytes: Buffer) => void;
    onPacketCallback: (packet: AvPacket) => void;
    /** Throws on bytes that it cannot read. */
    parserData(bytes: Buffer): string | null;
    packetParse(): void;
    packetAlloc(): void;
    packetHandler(): void;
    controlHandler(): void;
    onConnect(message: Invoke): void;
    onPublish(message: Invoke): void;
    onPlay(message: Invoke): void;
    respondPublish(): void;
    respondPlay(): void;
    sendStatusMessage(streamId: number, level: string, code: string, description: string): void;
    sendACK(bytes: number): void;
  }
}
