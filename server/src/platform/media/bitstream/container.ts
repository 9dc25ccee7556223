import { open } from 'node:fs/promises';
import { mediaProblem } from '../problems.ts';

/**
 * Container of a file, detected from its first bytes. The file is opened as this container only, because FFmpeg's own
 * detection would follow playlists and concat scripts to other files on this machine.
 */
export type Container = {
  /** Name in responses: `mp4`, `matroska`, `gif`, … */
  name: string;
  /** Demuxers that may open it, as FFmpeg's `format_whitelist`. */
  demuxers: string;
};

const HEAD_BYTES = 65_536;
const MOV = 'mov,mp4,m4a,3gp,3g2,mj2';
const STILL_BRANDS = ['heic', 'heix', 'heim', 'heis', 'mif1', 'avif'];
const AUDIO_BRANDS = ['M4A ', 'M4B ', 'M4P '];
/** Possible first boxes of an ISO media file. */
const MOV_BOXES = ['ftyp', 'styp', 'moov', 'mdat', 'moof', 'free', 'skip', 'wide', 'pnot', 'sidx', 'uuid', 'udta'];

/** Magic bytes of files that users upload by mistake. */
const STRANGERS: readonly [magic: string, at: number, what: string][] = [
  ['PK\x03\x04', 0, 'a ZIP archive; unpack it and send the videos'],
  ['\x1f\x8b', 0, 'a gzip archive; unpack it and send the videos'],
  ['7z\xbc\xaf', 0, 'a 7-Zip archive; unpack it and send the videos'],
  ['Rar!', 0, 'a RAR archive; unpack it and send the videos'],
  ['ustar', 257, 'a tar archive; unpack it and send the videos'],
  ['%PDF', 0, 'a PDF document'],
  ['\x7fELF', 0, 'a program'],
  ['MZ', 0, 'a program'],
  ['\x89MCAP', 0, 'an MCAP recording, not a single video'],
];

const STILLS: readonly [magic: string, at: number, what: string][] = [
  ['\xff\xd8\xff', 0, 'JPEG'],
  ['\x89PNG', 0, 'PNG'],
  ['WEBP', 8, 'WebP'],
  ['BM', 0, 'BMP'],
  ['II*\0', 0, 'TIFF'],
  ['MM\0*', 0, 'TIFF'],
  ['8BPS', 0, 'Photoshop'],
];

const SOUNDS: readonly [magic: string, at: number, what: string][] = [
  ['WAVE', 8, 'WAV'],
  ['ID3', 0, 'MP3'],
  ['fLaC', 0, 'FLAC'],
  ['#!AMR', 0, 'AMR'],
  ['FORM', 0, 'AIFF'],
];

/** Reads the start of a file and detects its container. Throws a Problem for anything that is not a video container. */
export async function detectContainer(path: string): Promise<Container & { sizeBytes: number }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) throw mediaProblem.media_empty();
    const head = Buffer.alloc(Math.min(HEAD_BYTES, size));
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return { ...identifyContainer(head.subarray(0, bytesRead)), sizeBytes: size };
  } finally {
    await file.close();
  }
}

/** Detects the container from its first bytes; a few kilobytes are enough. */
export function identifyContainer(head: Buffer): Container {
  const at = (magic: string, offset = 0) =>
    head.length >= offset + magic.length && head.toString('latin1', offset, offset + magic.length) === magic;
  const named = (table: readonly [string, number, string][]) => table.find(([magic, offset]) => at(magic, offset))?.[2];

  if (MOV_BOXES.some((box) => at(box, 4))) return isoContainer(head);
  if (at('\x1a\x45\xdf\xa3')) {
    return {
      name: head.subarray(0, 64).includes('webm', 0, 'latin1') ? 'webm' : 'matroska',
      demuxers: 'matroska,webm',
    };
  }
  if (at('RIFF') && (at('AVI ', 8) || at('AVIX', 8))) return { name: 'avi', demuxers: 'avi' };
  if (at('GIF87a') || at('GIF89a')) return { name: 'gif', demuxers: 'gif' };
  if (at('FLV\x01')) return { name: 'flv', demuxers: 'flv' };
  if (at('OggS')) return { name: 'ogg', demuxers: 'ogg' };
  if (at('\x30\x26\xb2\x75\x8e\x66\xcf\x11')) return { name: 'asf', demuxers: 'asf' };
  if (at('\x06\x0e\x2b\x34')) return { name: 'mxf', demuxers: 'mxf' };
  if (at('DKIF')) return { name: 'ivf', demuxers: 'ivf' };
  if (at('\0\0\x01\xba')) return { name: 'mpeg', demuxers: 'mpeg' };

  const still = named(STILLS);
  if (still) throw mediaProblem.media_still_image(`The file is a ${still} picture; send a video.`);
  const sound = named(SOUNDS);
  if (sound) throw mediaProblem.media_no_video(`The file is a ${sound} sound recording; it has no video track.`);
  const stranger = named(STRANGERS);
  if (stranger) throw mediaProblem.media_unreadable(`The file is ${stranger}.`);

  refuseText(head);
  if (isTransportStream(head)) return { name: 'mpegts', demuxers: 'mpegts' };
  if (at('\0\0\0\x01') || at('\0\0\x01')) {
    throw mediaProblem.media_unreadable(
      'The file is a bare H.264, HEVC or MPEG stream, which does not say when its frames are shown. Put it into a container first, for instance with `ffmpeg -framerate 25 -i video.h264 -c copy video.mp4`.',
    );
  }
  // MPEG audio starts with eleven set bits only; transport streams are excluded above.
  if (head.length > 1 && head[0] === 0xff && (head[1]! & 0xe0) === 0xe0) {
    throw mediaProblem.media_no_video('The file is an MPEG sound recording; it has no video track.');
  }
  throw mediaProblem.media_unreadable(
    'The file is not a video: its first bytes belong to no video format that can be read.',
  );
}

function isoContainer(head: Buffer): Container {
  const brand = head.toString('latin1', 4, 8) === 'ftyp' ? head.toString('latin1', 8, 12) : '';
  if (STILL_BRANDS.includes(brand)) {
    throw mediaProblem.media_still_image(`The file is a ${brand === 'avif' ? 'AVIF' : 'HEIF'} picture; send a video.`);
  }
  if (AUDIO_BRANDS.includes(brand)) {
    throw mediaProblem.media_no_video('The file is an MPEG-4 sound recording; it has no video track.');
  }
  return { name: brand === 'qt  ' ? 'mov' : 'mp4', demuxers: MOV };
}

/** Throws if the file is text. Playlists have their own message: sending one is a common mistake, or an attack. */
function refuseText(head: Buffer): void {
  const text = decodeText(head.subarray(0, 4096));
  if (text === null) return;
  const start = text.trimStart();
  const playlist =
    /^(#EXTM3U|ffconcat|\[playlist\]|v=0\r?\n|<smil|<asx)/i.test(start) ||
    /^(#.*\n|\s)*(file|stream|duration)\s+\S/.test(start) ||
    /^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<MPD\b/i.test(start);
  if (playlist) throw mediaProblem.media_playlist();
  if (/^(<!doctype html|<html|<head|<body)/i.test(start)) {
    throw mediaProblem.media_unreadable(
      "The file is a web page, not a video: the link probably led to a page about the video, not to the video's own file.",
    );
  }
  throw mediaProblem.media_unreadable('The file is text, not a video.');
}

/** Decodes the bytes as text; null if they are binary. */
function decodeText(head: Buffer): string | null {
  const utf16 = head.length > 2 && ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff));
  // With `stream`, an incomplete character at the end is not an error.
  const decoder = new TextDecoder(utf16 ? (head[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8', { fatal: true });
  try {
    const text = decoder.decode(head, { stream: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells binary from text
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** True for five sync bytes at a distance of one of the packet sizes, also after leading junk. */
function isTransportStream(head: Buffer): boolean {
  for (const packet of [188, 192, 204]) {
    for (let start = 0; start + packet * 4 < head.length && start < 8_192; start++) {
      if ([0, 1, 2, 3, 4].every((k) => head[start + k * packet] === 0x47)) return true;
    }
  }
  return false;
}
