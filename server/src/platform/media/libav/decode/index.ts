export { decode } from './decode.ts';
export { metadataTracks, readMetadataTrack } from './metadata-track.ts';
export { probe } from './probe.ts';
export { createStill } from './still.ts';
