/**
 * RTMP: receives what encoders publish. A media process reads the connections, with the protocol of
 * `node-media-server`, and hands a stream to the one who plays it, on the same port.
 */
export { openRtmpListener, type RtmpListener, type RtmpListenerOptions } from './listener.ts';
export type { RtmpRoom, RtmpTimeouts } from './types.ts';
