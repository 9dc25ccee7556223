import { recordingProblem } from './problems.ts';

/**
 * What a recording may cost to read. Every limit grows with the bytes that are really there, so that only a file whose content is out of proportion
 * to its size is refused. `docs/mcap.md` states them for users.
 */
const MiB = 2 ** 20;
/** Largest chunk, before and after decompression. Writers make them of about a megabyte; a few hold whole frames of many cameras. */
export const MAX_CHUNK_BYTES = 256 * MiB;
/** A chunk may always have this size when decompressed (a raw 4K frame of one colour fits); a larger one only by its compressed bytes. */
const CHUNK_FREE_BYTES = 24 * MiB;
const RECORDING_FREE_BYTES = 1024 * MiB;
const MAX_EXPANSION = 200;
/** Records per chunk and per recording that need no bytes to show for them, and bytes for each further one. */
const CHUNK_FREE_RECORDS = 50_000;
const RECORDING_FREE_RECORDS = 1_000_000;
const BYTES_PER_RECORD = 2;
/** Several cameras are several passes over the records of a recording; more than this many share the limit. */
const FREE_PASSES = 4;
const MAX_CHANNELS = 16_384;
export const MAX_CAMERAS = 256;
/** Schemas that are held in memory at a time, together. */
const MAX_SCHEMA_BYTES = 32 * MiB;
/** A channel record has a topic and a few words of metadata. */
const MAX_CHANNEL_BYTES = MiB;
const MAX_LOSSES = 1_000;
/** CPU seconds, and more of them for each megabyte of the file. Encoding pictures takes far longer than reading messages. */
const READING = { baseS: 2, perMiBS: 5, cpuUsage: () => process.threadCpuUsage() };
const ENCODING = { baseS: 120, perMiBS: 300, cpuUsage: () => process.cpuUsage() };
/** Asking the system for the time after each message would cost more than most of them. */
const CHECK_EVERY = 64;

const CHANNEL = 0x04;
const HEADER_BYTES = 9;

/** Limits of one task that reads a recording. What a chunk breaks throws an `Error` and costs that chunk; what a recording breaks throws a Problem and ends the task. */
export type Bounds = ReturnType<typeof createBounds>;

/**
 * @param fileBytes Size of the recording.
 * @param cameras How many channels are read in passes of their own.
 */
export function createBounds(
  fileBytes: number,
  { cameras = 1, encodes = false }: { cameras?: number; encodes?: boolean } = {},
) {
  const maxRecords = Math.floor(
    (RECORDING_FREE_RECORDS + fileBytes / BYTES_PER_RECORD) / Math.max(1, cameras / FREE_PASSES),
  );
  const maxExpanded = RECORDING_FREE_BYTES + MAX_EXPANSION * fileBytes;
  const { baseS, perMiBS, cpuUsage } = encodes ? ENCODING : READING;
  const maxCpuS = baseS + (perMiBS * fileBytes) / MiB;
  const startS = secondsOf(cpuUsage());
  let [records, expanded, ticks] = [0, 0, 0];

  const bounds = {
    /** Records and bytes are counted for each pass, CPU time for all of them. */
    startPass(): void {
      [records, expanded] = [0, 0];
    },

    /** Refuses a chunk by the sizes in its header, before anything is decompressed. */
    checkChunk(storedBytes: number, bytes: bigint | number): void {
      checkSize(bytes);
      const most = CHUNK_FREE_BYTES + MAX_EXPANSION * storedBytes;
      if (bytes > most) {
        throw new Error(
          `a chunk of ${storedBytes} bytes expands to ${bytes}, more than the ${most} that are accepted of that size`,
        );
      }
      expanded += Number(bytes);
      if (expanded > maxExpanded) {
        throw over(`Its chunks expand to more than the ${maxExpanded} bytes that are accepted of its size.`);
      }
    },

    /** Refuses the records of a chunk by their headers, before an object is made of any. */
    checkRecords(chunk: Uint8Array, storedBytes: number): void {
      const most = Math.floor(CHUNK_FREE_RECORDS + storedBytes / BYTES_PER_RECORD);
      const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let count = 0;
      for (let at = 0; at + HEADER_BYTES <= chunk.length; ) {
        const length = view.getUint32(at + 1, true) + view.getUint32(at + 5, true) * 2 ** 32;
        if (view.getUint8(at) === CHANNEL && length > MAX_CHANNEL_BYTES) {
          throw new Error(`a channel takes ${length} bytes, more than the ${MAX_CHANNEL_BYTES} that are accepted`);
        }
        if (++count > most) {
          throw new Error(`a chunk of ${storedBytes} bytes holds more than the ${most} records accepted of that size`);
        }
        at += HEADER_BYTES + length;
      }
      bounds.addRecords(count);
    },

    addRecords(count: number | bigint): void {
      records += Number(count);
      if (records <= maxRecords) return;
      throw over(`It holds more than the ${maxRecords} records that are accepted of its size.`);
    },

    /** Call it for each record. */
    tick(): void {
      if (ticks++ % CHECK_EVERY === 0) bounds.checkTime();
    },

    /** Refuses a recording that takes too much CPU time. */
    checkTime(): void {
      if (secondsOf(cpuUsage()) - startS > maxCpuS) {
        throw over(`It takes more than the ${Math.ceil(maxCpuS)} s of CPU time that are accepted of its size.`);
      }
    },
  };
  return bounds;
}

/** Throws when a chunk or an index claims more bytes than any may have. */
export function checkSize(bytes: bigint | number): void {
  if (bytes <= MAX_CHUNK_BYTES) return;
  throw new Error(`a chunk claims ${bytes} bytes, more than the ${MAX_CHUNK_BYTES} that are accepted`);
}

/** Refuses a recording that describes more channels than any real one has. */
export function checkChannels(channels: number, schemaBytes: number): void {
  if (channels > MAX_CHANNELS) throw over(`It has more than ${MAX_CHANNELS} channels.`);
  if (schemaBytes > MAX_SCHEMA_BYTES) throw over(`Its schemas take more than ${MAX_SCHEMA_BYTES} bytes.`);
}

export function checkCameras(cameras: number): void {
  if (cameras > MAX_CAMERAS) throw over(`It has ${cameras} channels of pictures, more than ${MAX_CAMERAS}.`);
}

/** Keeps what was lost, up to a number that a user can still read. */
export function addLoss<Loss>(losses: Loss[], loss: Loss): void {
  if (losses.length < MAX_LOSSES) losses.push(loss);
}

const over = (why: string) => recordingProblem.recording_over_limit(`The recording is refused. ${why}`);

const secondsOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;
