import { recordingProblem } from '../problems.ts';

/**
 * Limits for reading a recording. Each grows with the size of the file, so that only content out of proportion to its
 * size is rejected. `docs/mcap.md` states them for users.
 */
const MiB = 2 ** 20;
/** Maximum size of a chunk before and after decompression. Writers use about a megabyte, more for many cameras. */
export const MAX_CHUNK_BYTES = 256 * MiB;
/** Decompressed size that every chunk may have (a plain raw 4K frame); larger ones depend on their compressed size. */
const CHUNK_FREE_BYTES = 24 * MiB;
const RECORDING_FREE_BYTES = 1024 * MiB;
const MAX_EXPANSION = 200;
/** Number of records that every chunk and recording may have, and bytes for each additional one. */
const CHUNK_FREE_RECORDS = 50_000;
const RECORDING_FREE_RECORDS = 1_000_000;
const BYTES_PER_RECORD = 2;
/** Every camera is a pass over the records of a recording; more passes than this share the limit. */
const FREE_PASSES = 4;
const MAX_CHANNELS = 16_384;
export const MAX_CAMERAS = 256;
/** Maximum size of all schemas in memory. */
const MAX_SCHEMA_BYTES = 32 * MiB;
/** Maximum size of a channel record, which has a topic and a little metadata. */
const MAX_CHANNEL_BYTES = MiB;
const MAX_LOSSES = 1_000;
/**
 * CPU seconds, and additional ones per megabyte of the file. Encoding images takes far longer than reading messages.
 */
const READING = { baseS: 2, perMiBS: 5, cpuUsage: () => process.threadCpuUsage() };
const ENCODING = { baseS: 120, perMiBS: 300, cpuUsage: () => process.cpuUsage() };
/** Messages between checks of the CPU time, which cost more than most messages. */
const CHECK_EVERY = 64;

const CHANNEL = 0x04;
const HEADER_BYTES = 9;

/**
 * Limits of one task that reads a recording. A chunk over a limit throws an `Error` and is skipped; a recording over a
 * limit throws a Problem and ends the task.
 */
export type ReadLimits = ReturnType<typeof createReadLimits>;

/**
 * @param fileBytes Size of the recording.
 * @param cameras Number of channels that are read in their own pass.
 */
export function createReadLimits(
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
    /** Restarts the count of records and bytes; CPU time is counted for all passes. */
    startPass(): void {
      [records, expanded] = [0, 0];
    },

    /** Checks the sizes in a chunk's header before it is decompressed. */
    checkChunk(storedBytes: number, bytes: bigint | number): void {
      checkChunkSize(bytes);
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

    /** Checks the headers of a chunk's records before any of them is parsed. */
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

    /** Called for each record. */
    tick(): void {
      if (ticks++ % CHECK_EVERY === 0) bounds.checkTime();
    },

    /** Throws if reading takes too much CPU time. */
    checkTime(): void {
      if (secondsOf(cpuUsage()) - startS > maxCpuS) {
        throw over(`It takes more than the ${Math.ceil(maxCpuS)} s of CPU time that are accepted of its size.`);
      }
    },
  };
  return bounds;
}

/** Throws if a chunk or an index states more bytes than the maximum. */
export function checkChunkSize(bytes: bigint | number): void {
  if (bytes <= MAX_CHUNK_BYTES) return;
  throw new Error(`a chunk claims ${bytes} bytes, more than the ${MAX_CHUNK_BYTES} that are accepted`);
}

/** Throws if a recording has more channels or schemas than any real one. */
export function checkChannels(channels: number, schemaBytes: number): void {
  if (channels > MAX_CHANNELS) throw over(`It has more than ${MAX_CHANNELS} channels.`);
  if (schemaBytes > MAX_SCHEMA_BYTES) throw over(`Its schemas take more than ${MAX_SCHEMA_BYTES} bytes.`);
}

export function checkCameras(cameras: number): void {
  if (cameras > MAX_CAMERAS) throw over(`It has ${cameras} image channels, more than ${MAX_CAMERAS}.`);
}

/** Adds a loss, up to the maximum number of reported ones. */
export function addLoss<Loss>(losses: Loss[], loss: Loss): void {
  if (losses.length < MAX_LOSSES) losses.push(loss);
}

const over = (why: string) => recordingProblem.recording_over_limit(`The recording is refused. ${why}`);

const secondsOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;
