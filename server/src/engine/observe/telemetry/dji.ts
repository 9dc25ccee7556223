import type { TelemetrySample } from './samples.ts';

/**
 * DJI's subtitles: one caption per frame or second with the drone's measurements, in many notations. Positions are
 * `[latitude: 41.42] [longitude: 2.23]` (also spelled `longtitude`), `GPS(lon,lat,satellites)` or, on the Matrice,
 * `GPS(lat,lon,0.0M)`.
 */
const NUMBER = '([-+]?\\d+(?:\\.\\d+)?)';
const pattern = (text: string) => new RegExp(text.replaceAll('#', NUMBER).replaceAll(' ', '\\s*'), 'i');

const LATITUDE = pattern('latitude : # \\]');
const LONGITUDE = pattern('longt?itude : # \\]');
const PAIR = pattern('GPS \\( # , # (?:, # (M)? )?\\)');
/** In order of preference: above sea level, then above the take-off point. */
const ALTITUDES = [
  pattern('abs_alt : #'),
  pattern('\\[ altitude : #'),
  pattern('BAROMETER : #'),
  pattern('\\bHb : #'),
  pattern('\\bH # m\\b'),
];
const SPEED = pattern('\\bH\\.S # m/s');
/** Pitch, roll and yaw of the aircraft. */
const ATTITUDE = pattern('\\bF\\.PRY \\( #° , #° , #° \\)');

/** Reads the measurements of a caption. */
export function readCaption(text: string): Omit<TelemetrySample, 'timeS'> {
  const sample: Omit<TelemetrySample, 'timeS'> = { ...readPosition(text) };
  const altitude = ALTITUDES.map((each) => each.exec(text)).find((match) => match !== null);
  if (altitude) sample.altitudeM = Number(altitude[1]);
  const speed = SPEED.exec(text);
  if (speed) sample.speedMps = Number(speed[1]);
  const attitude = ATTITUDE.exec(text);
  if (attitude) sample.headingDeg = (Number(attitude[3]) + 360) % 360;
  return sample;
}

function readPosition(text: string): Pick<TelemetrySample, 'latitude' | 'longitude'> {
  const named = [LATITUDE.exec(text)?.[1], LONGITUDE.exec(text)?.[1]];
  if (named[0] !== undefined && named[1] !== undefined) return toPosition(Number(named[0]), Number(named[1]));
  const pair = PAIR.exec(text);
  if (!pair) return {};
  const [a, b] = [Number(pair[1]), Number(pair[2])];
  // If the third number has a unit it is the height, and latitude is first. Otherwise it counts satellites.
  return pair[4] ? toPosition(a, b) : toPosition(b, a);
}

/** A drone without a satellite fix writes zeros. */
function toPosition(latitude: number, longitude: number): Pick<TelemetrySample, 'latitude' | 'longitude'> {
  const possible = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return possible && (latitude !== 0 || longitude !== 0) ? { latitude, longitude } : {};
}

const TIMES = /(\d+):(\d+):(\d+)[,.](\d+)\s*-->/;
const STAMP = /(\d{4})[-.](\d{1,2})[-.](\d{1,2})\s+(\d+):(\d+):(\d+)(?:[,.](\d{1,3}))?/;

/**
 * Reads a subtitle file. Captions without times, as some converters write them, count from the first caption's date.
 */
export function readSubtitles(text: string): TelemetrySample[] {
  let origin = Number.NaN;
  return text.split(/\r?\n\s*\r?\n/).flatMap((caption): TelemetrySample[] => {
    const at = TIMES.exec(caption);
    if (at) {
      const [hours = 0, minutes = 0, seconds = 0] = at.slice(1, 4).map(Number);
      const fraction = Number(`0.${at[4]}`);
      return [{ timeS: hours * 3600 + minutes * 60 + seconds + fraction, ...readCaption(caption) }];
    }
    const dated = STAMP.exec(caption);
    if (!dated) return [];
    const [year = 0, month = 0, day = 0, hours, minutes, seconds] = dated.slice(1, 7).map(Number);
    const stamp =
      Date.UTC(year, month - 1, day, hours, minutes, seconds, Number((dated[7] ?? '0').padEnd(3, '0'))) / 1000;
    if (Number.isNaN(origin)) origin = stamp;
    return [{ timeS: stamp - origin, ...readCaption(caption) }];
  });
}
