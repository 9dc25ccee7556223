import type { Fact } from '../../terms.ts';
import type { Category } from './categories.ts';
import { type ClosedClass, inflected, words } from './closed-class.ts';

/** Words that name a fact, by the fact. */
const facts = (category: Category, phrases: Readonly<Partial<Record<Fact, string>>>): ClosedClass[] =>
  Object.entries(phrases).map(([fact, each]) => words(category, each, { fact }));

const MEDIA = ['video', 'clip', 'recording', 'footage', 'film', 'movie', 'vid', 'file', 'stream'];
const EXTENT = ['whole', 'entire', 'full', 'original'];
const ORIENTATIONS = ['portrait', 'landscape', 'vertical', 'horizontal', 'square', 'widescreen'];

/** Words for the recording itself, and for facts about it. */
export const RECORDING_WORDS: readonly ClosedClass[] = [
  words('Media', [...MEDIA, 'video file', 'media file', 'video clip', 'mp4', 'mp4 file'].join(', ')),
  words('Media', [...MEDIA, 'thing'].flatMap((noun) => EXTENT.map((extent) => `${extent} ${noun}`)).join(', ')),
  words('This', 'this, that'),
  ...facts('FactNoun', {
    duration:
      'duration, length, running time, run time, runtime, total length, total duration, overall length, video length, video duration, clip length, clip duration, full length',
    resolution:
      'resolution, video resolution, image resolution, screen resolution, dimensions, pixel size, frame size, image size, picture size',
    frame_rate:
      'frame rate, framerate, fps, video frame rate, how many fps, how many frames per second, how many frames a second, frames per second',
    frame_count: 'frame count, total frame count',
    orientation: 'orientation, video orientation, aspect ratio',
    codec: 'codec, video codec, audio codec, encoding, video encoding, compression',
    container:
      'file type, file format, file extension, video type, video format, media type, media format, container, container format, format, what type of file, what kind of file, what sort of file, which type of file, which kind of file',
    file_size: 'file size, filesize, video size, size on disk, size of the file, size of the video',
    bit_rate: 'bit rate, bitrate, data rate, video bitrate, average bitrate',
    dynamic_range: 'bit depth, color depth, colour depth, hdr',
    audio_track: 'audio track, sound track, soundtrack',
    recorded_at:
      'recording date, recording time, filming date, filming time, capture date, capture time, creation date, creation time, shooting date, video date, timestamp, recording timestamp',
    camera_model: 'camera model, camera make, camera brand, camera type, device model, phone model, make and model',
    shot_count: 'shot count, scene count',
  }),
  ...facts('FactHow', {
    duration:
      'how long, how much time, how many seconds, how many minutes, how many hours, how many seconds long, how many minutes long',
    resolution: 'how wide, how high, how many pixels',
    file_size: 'how big, how large, how many mb, how many megabytes, how many gb, how many gigabytes, how many bytes',
  }),
  words('FactHow', 'how old', { fact: 'recorded_at' }),
  ...facts('FactUnit', {
    frame_count: 'frames, video frames',
    shot_count:
      'shots, scenes, camera shots, takes, different shots, different scenes, separate shots, separate scenes, individual shots, distinct shots',
  }),
  ...facts('FormatWord', {
    orientation: ORIENTATIONS.flatMap((each) => [each, `${each} mode`, `${each} format`, `${each} video`]).join(', '),
    resolution: 'hd, full hd, uhd, ultra hd, 4 k, 8 k, 1080 p, 720 p',
    codec: 'h264, h265, h . 264, h . 265, hevc, avc, av1, vp8, vp9, mpeg 2, mpeg 4',
    container: 'mp4, mkv, avi, mov, webm, gif',
    dynamic_range: 'hdr, hdr10, high dynamic range',
  }),
  words('Audio', 'sound', { isTrack: false }),
  words('Audio', 'audio, audio track, sound track, soundtrack', { isTrack: true }),
  words('DateWord', 'date, day, time, year, month, time of day, date and time, day and time'),
  words(
    'Device',
    ['camera', 'phone', 'device', 'dashcam', 'cam']
      .flatMap((noun) => [noun, ...['kind', 'type', 'model', 'brand', 'make'].map((kind) => `${kind} of ${noun}`)])
      .join(', '),
  ),
  words('Filmer', 'they, you, we, i, someone, somebody'),
  ...inflected('Record', 'record, film, take, make, capture, create, produce'),
  words('Record', 'shoot', { form: 'base' }),
  words('Record', 'shot', { form: 'participle' }),
  words('Encoded', 'encoded, compressed, recorded, filmed, shot'),
  ...inflected('Start', 'start, begin'),
  ...inflected('Last', 'last, run, take, go on'),
  ...inflected('Use', 'use'),
];
