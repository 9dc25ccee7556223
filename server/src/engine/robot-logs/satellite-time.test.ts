import { describe, expect, test } from 'vitest';
import { jsonFormat, recordingBytes, recordingTimeNs } from '#test/mcap/recordings';
import { openRecording } from './mcap/index.ts';
import { sourceOf } from './mcap/recordings.fixture.ts';
import { readSatelliteOffset } from './satellite-time.ts';

/** Seconds by which the clock of the recorder is slow. */
const SLOW_S = 3_600;
const secondsOf = (ns: bigint) => ({ sec: Number(ns / 1_000_000_000n), nsec: Number(ns % 1_000_000_000n) });
const utcOf = (timeS: number) => recordingTimeNs(timeS + SLOW_S);
const rmc = (ns: bigint, state = 'A') => {
  const at = new Date(Number(ns / 1_000_000n)).toISOString();
  const [date, time] = [`${at.slice(8, 10)}${at.slice(5, 7)}${at.slice(2, 4)}`, at.slice(11, 23).replaceAll(':', '')];
  return `$GPRMC,${time},${state},5230.00,N,01324.00,E,0.0,0.0,${date},,,A*00`;
};

/** Messages of one type, one a second: by the time of the recorder. */
async function offsetOf(schema: string, messageAt: (timeS: number) => object): Promise<number | null> {
  const format = jsonFormat(schema);
  const messages = Array.from({ length: 5 }, (_, i) => ({
    channel: 0,
    logNs: recordingTimeNs(i + 0.02),
    data: format.encode(messageAt(i)),
  }));
  const bytes = await recordingBytes({ channels: [{ topic: '/gps', ...format }], messages });
  const offset = await readSatelliteOffset(await openRecording(sourceOf(bytes)));
  return offset === null ? null : Number(offset) / 1e9;
}

describe('the time of satellites is that of', () => {
  const header = (timeS: number) => ({ stamp: secondsOf(recordingTimeNs(timeS)), frame_id: 'gps' });
  test.each<[string, string, (timeS: number) => object, number]>([
    [
      'a reference beside the header',
      'sensor_msgs/msg/TimeReference',
      (at) => ({ header: header(at), time_ref: secondsOf(utcOf(at)), source: 'gps' }),
      SLOW_S,
    ],
    [
      'a fix in seconds',
      'gps_msgs/msg/GPSFix',
      (at) => ({ header: header(at), status: { status: 0 }, time: Number(utcOf(at)) / 1e9 }),
      SLOW_S,
    ],
    ['a sentence', 'nmea_msgs/msg/Sentence', (at) => ({ header: header(at), sentence: rmc(utcOf(at)) }), SLOW_S],
    [
      'a fix with the time of the receiver',
      'sensor_msgs/msg/NavSatFix',
      (at) => ({ header: { stamp: secondsOf(utcOf(at)) }, status: { status: 0 }, latitude: 52.5, longitude: 13.4 }),
      SLOW_S - 0.02,
    ],
    [
      'a fix of Foxglove',
      'foxglove.LocationFix',
      (at) => ({ timestamp: secondsOf(utcOf(at)), latitude: 52.5, longitude: 13.4 }),
      SLOW_S - 0.02,
    ],
  ])('%s', async (_, schema, messageAt, expected) => {
    expect(await offsetOf(schema, messageAt)).toBeCloseTo(expected, 2);
  });

  test.each<[string, string, (timeS: number) => object]>([
    [
      'a fix that the recorder stamped',
      'sensor_msgs/msg/NavSatFix',
      (at) => ({ header: header(at), status: { status: 0 }, latitude: 52.5, longitude: 13.4 }),
    ],
    [
      'a receiver without a fix',
      'sensor_msgs/msg/NavSatFix',
      (at) => ({ header: { stamp: secondsOf(utcOf(at)) }, status: { status: -1 }, latitude: 0, longitude: 0 }),
    ],
    [
      'a sentence without a fix',
      'nmea_msgs/msg/Sentence',
      (at) => ({ header: header(at), sentence: rmc(utcOf(at), 'V') }),
    ],
    [
      'a receiver that counts from 1980',
      'sensor_msgs/msg/TimeReference',
      (at) => ({ header: header(at), time_ref: { sec: 315_964_800 + at, nsec: 0 } }),
    ],
    ['another message', 'std_msgs/msg/Float64', (at) => ({ data: at })],
  ])('nothing: %s', async (_, schema, messageAt) => {
    expect(await offsetOf(schema, messageAt)).toBeNull();
  });
});
