export { copyablePackets } from './copyable-packets.ts';
export { trim } from './trim.ts';
