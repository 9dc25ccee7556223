import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { rotatedClip } from './clips.ts';
import { encodePaff, type YcbcrColor } from './paff.ts';

/**
 * Videos of every kind that cameras, editors and browsers write, made by the ffmpeg program: four colored quarters
 * (`CORNERS`), with something that moves in their middle, for 10 frames.
 */
export type SourceFormat = {
  name: string;
  extension: string;
  /** Options of ffmpeg for the output. */
  options: string;
  /** Filters after the drawn picture. */
  filters?: string;
  /** Input of the encoder, if not the drawn picture: field pictures that are H.264 already. */
  input?: 'fields';
  /** Frames that decode, where not 10. */
  frames?: number;
  /** Clockwise degrees that players turn it by. */
  rotation?: 90 | 180;
  /** Colors of the corners as shown, where not `CORNERS`; null where the source has no colors. */
  corners?: string | null;
  /** The code of the Problem that refuses the source. */
  refused?: string;
};

/** Top left, top right, bottom left, bottom right. */
export const CORNERS = 'red lime blue white';
const FRAMES = 10;

const FIELDS = '-flags +ildct+ilme';
const X264 = '-c:v libx264 -preset ultrafast';
const X265 = '-c:v libx265 -preset ultrafast -x265-params log-level=error';
const VP9 = '-c:v libvpx-vp9 -deadline realtime -cpu-used 8';
const AV1 = '-c:v libaom-av1 -usage realtime -cpu-used 8';
const HDR = '-color_primaries bt2020 -colorspace bt2020nc';
const tagged = (name: string, value: number) => `${X264} -pix_fmt yuv420p -bsf:v h264_metadata=${name}=${value}`;

const list: [name: string, extension: string, options: string, more?: Partial<SourceFormat>][] = [
  ['H.264', 'mp4', `${X264} -pix_fmt yuv420p`],
  ['interlaced H.264, top field first', 'mp4', `${X264} -pix_fmt yuv420p ${FIELDS} -x264opts tff=1`],
  ['interlaced H.264, bottom field first', 'ts', `${X264} -pix_fmt yuv420p ${FIELDS} -x264opts bff=1`],
  ['interlaced H.264, MBAFF', 'mkv', `-c:v libx264 -pix_fmt yuv420p ${FIELDS} -x264opts tff=1`],
  ['interlaced H.264, PAFF', 'mp4', '-c copy', { input: 'fields' }],
  ['interlaced H.264, PAFF, MPEG-TS', 'ts', '-c copy', { input: 'fields' }],
  ['interlaced H.264, 4:2:2', 'mkv', `${X264} -pix_fmt yuv422p ${FIELDS} -x264opts tff=1`],
  ['interlaced H.264, 4:4:4', 'mp4', `${X264} -pix_fmt yuv444p ${FIELDS} -x264opts tff=1`],
  ['interlaced H.264, 10 bits', 'mp4', `${X264} -pix_fmt yuv420p10le ${FIELDS} -x264opts tff=1`],
  [
    'interlaced H.264, 1080 lines',
    'mp4',
    `${X264} -pix_fmt yuv420p ${FIELDS} -x264opts tff=1`,
    { filters: 'scale=1920:1080' },
  ],
  ['H.264 that says it is interlaced', 'mp4', `${X264} -pix_fmt yuv420p -x264opts fake-interlaced=1`],
  ['interlaced MPEG-2, top field first', 'ts', `-c:v mpeg2video -pix_fmt yuv420p ${FIELDS} -top 1`],
  ['interlaced MPEG-2, bottom field first, 4:2:2', 'mpg', `-c:v mpeg2video -pix_fmt yuv422p ${FIELDS} -top 0`],
  ['interlaced MPEG-4', 'avi', `-c:v mpeg4 ${FIELDS} -top 1`],
  ['interlaced HEVC', 'mp4', `${X265}:interlace=tff -pix_fmt yuv420p`],
  ['interlaced ProRes', 'mov', '-c:v prores_ks -pix_fmt yuv422p10le -flags +ildct -top 1'],
  ['DV', 'avi', '-c:v dvvideo -pix_fmt yuv420p', { filters: 'scale=720:576' }],
  ['progressive, then interlaced', 'ts', '', { frames: 20 }],
  ['H.264, 10 bits', 'mp4', `${X264} -pix_fmt yuv420p10le`],
  ['H.264, 4:2:2', 'mp4', `${X264} -pix_fmt yuv422p`],
  ['H.264, 4:4:4', 'mp4', `${X264} -pix_fmt yuv444p`],
  ['H.264, full range', 'mp4', `${X264} -pix_fmt yuvj420p`],
  ['H.264, RGB', 'mkv', '-c:v libx264rgb -preset ultrafast -pix_fmt rgb24'],
  ['H.264, gray', 'mp4', `${X264} -pix_fmt gray`, { corners: null }],
  ['HEVC', 'mp4', `${X265} -pix_fmt yuv420p`],
  ['HEVC, 4:4:4, 12 bits', 'mp4', `${X265} -pix_fmt yuv444p12le`],
  ['HEVC, HDR, PQ', 'mp4', `${X265} -pix_fmt yuv420p10le ${HDR} -color_trc smpte2084`],
  ['HEVC, HDR, HLG', 'mp4', `${X265} -pix_fmt yuv420p10le ${HDR} -color_trc arib-std-b67`],
  ['a transfer function that FFmpeg cannot convert', 'mp4', tagged('transfer_characteristics', 9)],
  ['BT.2020 with constant luminance', 'mp4', tagged('matrix_coefficients', 10)],
  ['a matrix derived from the primaries', 'mp4', tagged('matrix_coefficients', 12)],
  ['YCgCo', 'mp4', tagged('matrix_coefficients', 8), { refused: 'media_unsupported' }],
  ['ICtCp', 'mp4', tagged('matrix_coefficients', 14), { refused: 'media_unsupported' }],
  ['rotated by 90', 'mp4', `${X264} -pix_fmt yuv420p`, { rotation: 90, corners: 'blue red white lime' }],
  ['rotated by 180', 'mp4', `${X264} -pix_fmt yuv420p`, { rotation: 180, corners: 'white blue lime red' }],
  ['odd sizes', 'mp4', `${X264} -pix_fmt yuv444p`, { filters: 'scale=161:119' }],
  ['odd sizes, 4:2:0', 'webm', `${VP9} -pix_fmt yuv420p`, { filters: 'scale=161:119' }],
  [
    'odd sizes, interlaced',
    'mkv',
    '-c:v ffv1 -pix_fmt yuv420p -field_order tt',
    { filters: 'scale=161:119,setfield=tff' },
  ],
  ['the smallest size', 'mp4', `${X264} -pix_fmt yuv420p`, { filters: 'scale=16:16' }],
  ['too small', 'mkv', '-c:v ffv1', { filters: 'scale=12:12', refused: 'media_dimensions' }],
  ['pixels that are not square', 'mp4', `${X264} -pix_fmt yuv420p`, { filters: 'setsar=16/11' }],
  [
    'a variable frame rate',
    'mp4',
    `${X264} -pix_fmt yuv420p -fps_mode vfr -video_track_timescale 90000`,
    { filters: "setpts='PTS*(1+N/5)'" },
  ],
  ['an edit list', 'mp4', `${X264} -pix_fmt yuv420p -bf 2 -output_ts_offset 1.5`],
  ['fragmented MP4', 'mp4', `${X264} -pix_fmt yuv420p -movflags frag_keyframe+empty_moov`],
  ['FLV', 'flv', `${X264} -pix_fmt yuv420p -ar 44100`],
  ['VP8 with alpha', 'webm', '-c:v libvpx -pix_fmt yuva420p -auto-alt-ref 0'],
  ['VP9', 'webm', `${VP9} -pix_fmt yuv420p`],
  ['VP9 with alpha', 'webm', `${VP9} -pix_fmt yuva420p`],
  ['VP9, 4:4:0', 'webm', `${VP9} -pix_fmt yuv440p`],
  ['AV1', 'mp4', `${AV1} -pix_fmt yuv420p`],
  ['AV1, 10 bits', 'mkv', `${AV1} -pix_fmt yuv420p10le`],
  ['ProRes', 'mov', '-c:v prores_ks -pix_fmt yuv422p10le'],
  ['ProRes 4444 with alpha', 'mov', '-c:v prores_ks -pix_fmt yuva444p10le'],
  ['DNxHR', 'mov', '-c:v dnxhd -profile:v dnxhr_sq -pix_fmt yuv422p', { filters: 'scale=320:240' }],
  ['CineForm', 'mov', '-c:v cfhd -pix_fmt yuv422p10le'],
  ['QuickTime Animation with alpha', 'mov', '-c:v qtrle -pix_fmt argb'],
  ['PNG, 16 bits', 'mov', '-c:v png -pix_fmt rgb48be'],
  ['Motion JPEG', 'avi', '-c:v mjpeg -pix_fmt yuvj420p'],
  ['Motion JPEG, 4:4:4', 'avi', '-c:v mjpeg -pix_fmt yuvj444p'],
  ['JPEG 2000', 'mxf', '-c:v jpeg2000 -pix_fmt yuv420p -ar 48000'],
  ['GIF', 'gif', '-an'],
  ['Theora', 'ogv', '-c:v libtheora -c:a libvorbis', { filters: 'fps=50', frames: 16 }],
  ['Windows Media', 'asf', '-c:v wmv2'],
  ['FFV1 with alpha, 16 bits', 'mkv', '-c:v ffv1 -pix_fmt yuva444p16le'],
  ['uncompressed, palette', 'avi', '-c:v rawvideo -pix_fmt pal8'],
  ['a bare H.264 stream', 'h264', `-an ${X264} -pix_fmt yuv420p`, { refused: 'media_unreadable' }],
  ['a bare HEVC stream', 'hevc', `-an ${X265} -pix_fmt yuv420p`, { refused: 'media_unreadable' }],
];

export const SOURCE_FORMATS: readonly SourceFormat[] = list.map(([name, extension, options, more]) => ({
  name,
  extension,
  options,
  ...more,
}));

export const findSourceFormat = (name: string): SourceFormat => SOURCE_FORMATS.find((source) => source.name === name)!;

const run = promisify(execFile);
const words = (text: string) => text.split(' ').filter(Boolean);

/** Red, lime, blue and white in BT.601. */
const QUARTERS: readonly [YcbcrColor, YcbcrColor, YcbcrColor, YcbcrColor] = [
  [81, 90, 240],
  [145, 54, 34],
  [41, 240, 110],
  [235, 128, 128],
];

const box = (x: string, y: string, color: string) => `drawbox=x=${x}:y=${y}:w=iw/2:h=ih/2:c=${color}:t=fill`;
const DRAWN = [
  `color=black:s=160x120:r=25:d=0.4`,
  box('0', '0', 'red'),
  box('iw/2', '0', 'lime'),
  box('0', 'ih/2', 'blue'),
  box('iw/2', 'ih/2', 'white'),
].join(',');
const MOVING = 'testsrc2=s=40x30:r=25:d=0.4[m];[q][m]overlay=x=40+t*100:y=45';

/** A video as the ffmpeg program encodes it with these options, into `path`. */
export async function encodeClip(ffmpeg: string, video: string, options: string, path: string): Promise<void> {
  await run(ffmpeg, ['-v', 'error', '-y', '-i', video, ...words(options), path]);
}

/**
 * Makes a source once, in the system's temporary folder under a name that changes with what it is made of. Returns
 * its path.
 */
export async function sourceClip(ffmpeg: string, source: SourceFormat): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([source, DRAWN, MOVING]));
  const folder = join(tmpdir(), 'sightline-sources');
  const path = join(folder, `${hash.digest('hex').slice(0, 16)}.${source.extension}`);
  if (await stat(path).catch(() => null)) return path;
  await mkdir(folder, { recursive: true });
  let draft = join(folder, `${randomUUID()}-${basename(path)}`);
  if (source.name === 'progressive, then interlaced') {
    const halves = ['H.264', 'interlaced H.264, bottom field first'].map((name) => ({
      ...findSourceFormat(name),
      extension: 'ts',
    }));
    const parts = await Promise.all(halves.map(async (half) => readFile(await sourceClip(ffmpeg, half))));
    await writeFile(`${draft}.joined`, Buffer.concat(parts));
    await run(ffmpeg, words(`-v error -y -i ${draft}.joined -map 0:v -c copy -f mpegts ${draft}`)).catch(() => {});
  } else if (source.input === 'fields') {
    await writeFile(`${draft}.h264`, encodePaff(FRAMES, QUARTERS));
    await run(ffmpeg, [...words(`-v error -y -r 25 -i ${draft}.h264 ${source.options}`), draft]);
  } else {
    const graph = `${DRAWN}[q];${MOVING}${source.filters ? `,${source.filters}` : ''}`;
    const inputs = ['-f', 'lavfi', '-i', graph, ...words('-f lavfi -i sine=440:d=0.4')];
    await run(ffmpeg, ['-v', 'error', '-y', ...inputs, ...words(source.options), '-shortest', draft]);
  }
  if (source.rotation !== undefined) draft = await rotatedClip(draft, source.rotation);
  await rename(draft, path);
  return path;
}
