import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Media } from '#platform/media/index';
import { footage, hasFootage } from '#test/footage';
import { captionedClip, createTestMedia, sceneClip } from '#test/media/clips';
import { decodeObservation } from '../decode-observation.ts';
import type { ObserveArgs, ObserveResult } from '../observe-task.ts';
import { readCaption } from './dji.ts';
import type { Telemetry } from './observation.ts';
import { telemetry as observer } from './observer.ts';
import { createTelemetry, type TelemetrySample } from './samples.ts';
import { readSidecar } from './sidecar.ts';

const text = (content: string) => new TextEncoder().encode(content);
const json = (content: unknown) => readSidecar(text(JSON.stringify(content)));
const read = (reading: ReturnType<typeof readSidecar>): Telemetry => {
  if ('unusable' in reading) throw new Error(reading.unusable);
  return reading.telemetry!;
};
const list = (values: Float64Array) => [...values];

describe('derived measures', () => {
  const drive = (speed: (t: number) => number, hertz = 10): TelemetrySample[] =>
    Array.from({ length: 20 * hertz }, (_, i) => ({ timeS: i / hertz, speedMps: speed(i / hertz) }));

  it('acceleration is the slope of speed', () => {
    const telemetry = createTelemetry(
      'test',
      drive((t) => (t < 10 ? 20 : 20 - 4 * Math.min(3, t - 10))),
    )!;
    expect(telemetry.accelerationMps2[50]).toBeCloseTo(0);
    expect(telemetry.accelerationMps2[115]).toBeCloseTo(-4);
    expect(telemetry.notes).toEqual(['acceleration is computed from speed, over 1 s']);
  });

  it('nothing is derived across a gap', () => {
    const telemetry = createTelemetry(
      'test',
      drive(() => 20).filter(({ timeS }) => timeS < 5 || timeS > 12),
    )!;
    expect(telemetry.gapS).toBe(2);
    const after = telemetry.timeS.findIndex((t) => t > 12);
    expect(telemetry.accelerationMps2[after]).toBeCloseTo(0);
    const slower = drive((t) => (t < 5 ? 20 : 0)).filter(({ timeS }) => timeS < 5 || timeS > 12);
    expect(Math.max(...createTelemetry('test', slower)!.accelerationMps2.map(Math.abs))).toBeCloseTo(0);
  });

  it('speed and yaw rate are computed from positions, left positive', () => {
    // A circle of 100 m radius to the left (counterclockwise), once round in 62.8 s: 10 m/s, 5.73 degrees per second.
    const samples = Array.from({ length: 300 }, (_, i) => {
      const angle = (i / 10) * 0.1;
      const meters = 1 / 111_320;
      return {
        timeS: i / 10,
        latitude: 48 + 100 * Math.sin(angle) * meters,
        longitude: 11 + (100 * Math.cos(angle) * meters) / Math.cos((48 * Math.PI) / 180),
      };
    });
    const telemetry = createTelemetry('test', samples)!;
    expect(telemetry.speedMps[150]).toBeCloseTo(10, 1);
    expect(telemetry.yawRateDps[150]).toBeCloseTo(5.73, 1);
    expect(telemetry.notes.join()).toMatch(/speed is computed from positions/);
  });

  it('a heading that passes north is not a full turn', () => {
    const samples = Array.from({ length: 100 }, (_, i) => ({ timeS: i / 10, headingDeg: (350 + 2 * i) % 360 }));
    for (const rate of createTelemetry('test', samples)!.yawRateDps) expect(rate).toBeCloseTo(-20);
  });

  it('coarse positions give no speed', () => {
    const samples = Array.from({ length: 60 }, (_, i) => ({
      timeS: i,
      latitude: 48 + Math.round(i / 3) / 1e4,
      longitude: 11,
    }));
    const telemetry = createTelemetry('test', samples)!;
    expect(telemetry.speedMps.every(Number.isNaN)).toBe(true);
    expect(telemetry.notes).toEqual(['positions are too coarse to compute a speed']);
  });
});

describe('a file beside the video', () => {
  it('reads rows with names, units in names, seconds', () => {
    const telemetry = read(
      json([
        { t_s: 0, speed_kmh: 36 },
        { t_s: 1, speed_kmh: 72 },
      ]),
    );
    expect(list(telemetry.timeS)).toEqual([0, 1]);
    expect(list(telemetry.speedMps)).toEqual([10, 20]);
    expect(telemetry.source).toBe('sidecar JSON');
  });

  it('fields with units, rows in data, ISO dates and a start', () => {
    const fields = [
      { name: 'timestamp', type: 'timestamp', format: 'ISO8601' },
      { name: 'speed', type: 'number', unit: 'mph' },
      { name: 'altitude', type: 'number', unit: 'ft' },
    ];
    const data = [
      { timestamp: '2024-05-01T10:00:02Z', speed: 60, altitude: 1000 },
      { timestamp: '2024-05-01T10:00:03Z', speed: 30, altitude: 1000 },
    ];
    const telemetry = read(json({ fields, data, start_time: '2024-05-01T10:00:00Z' }));
    expect(list(telemetry.timeS)).toEqual([2, 3]);
    expect(telemetry.speedMps[0]).toBeCloseTo(26.82, 2);
    expect(telemetry.altitudeM[0]).toBeCloseTo(304.8);
    expect(list(read(json({ fields, data })).timeS)).toEqual([0, 1]);
  });

  it('reads one array per column, rows as arrays, nested values', () => {
    expect(list(read(json({ time: [0, 1], speed_mps: [3, 4] })).speedMps)).toEqual([3, 4]);
    const fields = [{ name: 'time_ms' }, { name: 'speed', unit: 'm/s' }];
    expect(
      list(
        read(
          json({
            fields,
            rows: [
              [0, 5],
              [500, 6],
            ],
          }),
        ).timeS,
      ),
    ).toEqual([0, 0.5]);
    const nested = read(json([{ timestamp: 1_700_000_000_000, gps: { lat: 48.1, lon: 11.5 } }]));
    expect([nested.latitude[0], nested.longitude[0]]).toEqual([48.1, 11.5]);
  });

  it.each([
    [1_700_000_000, 1],
    [1_700_000_000_000, 1_000],
    [1_700_000_000_000_000, 1e6],
  ])('dates from %d in steps of %d are a second apart', (start, second) => {
    const rows = [0, 1, 2].map((i) => ({ ts: start + i * second, speed: 5 }));
    expect(list(read(json(rows)).timeS)).toEqual([0, 1, 2]);
  });

  it('CSV', () => {
    const telemetry = read(readSidecar(text('time;"Speed (km/h)";lat\n0;36;48.5\n1;72;48.6\n')));
    expect(list(telemetry.speedMps)).toEqual([10, 20]);
    expect(list(telemetry.latitude)).toEqual([48.5, 48.6]);
  });

  it('notes assumptions and ignored columns', () => {
    expect(read(json([{ t: 0, speed: 5 }])).notes).toContain('the speed has no unit; m/s is assumed');
    expect(read(json([{ t: 0, 'speed (parsecs)': 5, lat: 1 }])).notes.join()).toMatch(/"parsecs", an unknown unit/);
  });

  it.each([
    ['[]', /none of its columns .* is a time/],
    ['{"fields": []}', /no rows/],
    ['[{"speed": 5}]', /none of its columns \(speed\) is a time/],
    ['[{"t": 1, "mood": "good"}]', /none of its columns \(t, mood\) has numbers/],
    ['{', /not valid JSON/],
    ['', /none of its columns/],
    ['1\n', /captions have no position/],
  ])('%s is not usable, with a reason', (content, reason) => {
    expect(readSidecar(text(content))).toEqual({ unusable: expect.stringMatching(reason) });
  });

  it('bytes that are not text are not usable', () => {
    expect(readSidecar(Uint8Array.of(0xff, 0xfe, 0x00))).toEqual({ unusable: 'it is not UTF-8 text' });
  });
});

describe("a drone's subtitles", () => {
  it.each([
    [
      '[latitude: 41.424724] [longitude: 2.234156] [altitude: 117.000000]',
      { latitude: 41.424724, longitude: 2.234156, altitudeM: 117 },
    ],
    ['[latitude : -34.869950] [longtitude : -57.823395]', { latitude: -34.86995, longitude: -57.823395 }],
    ['[rel_alt: 1.3 abs_alt: 88.1]', { altitudeM: 88.1 }],
    ['GPS(149.0251,-20.2533,16) BAROMETER:1.9', { latitude: -20.2533, longitude: 149.0251, altitudeM: 1.9 }],
    ['GPS(36.6146,-6.1120,0.0M) BAROMETER:0.3M', { latitude: 36.6146, longitude: -6.112, altitudeM: 0.3 }],
    [
      'GPS (-58.85, -34.23, 15), H 85.80m, H.S 2.88m/s, F.PRY (2.7°, -7.0°, -110.1°)',
      { latitude: -34.23, longitude: -58.85, altitudeM: 85.8, speedMps: 2.88, headingDeg: expect.closeTo(249.9) },
    ],
    ['GPS(N/A,N/A,0) H.S n/a', {}],
    ['[latitude: 0.000000] [longitude: 0.000000]', {}],
    ['a subtitle that a person wrote', {}],
  ])('%s', (caption, sample) => {
    expect(readCaption(caption)).toEqual(sample);
  });

  it.runIf(hasFootage).each([
    ['air2s.srt', 17],
    ['broken_incomplete.SRT', 19],
    ['broken_incomplete2.SRT', 4],
    ['matrice_300.srt', 381],
    ['mavic_2_style.SRT', 463],
    ['mavic_air2.srt', 25],
    ['mavic_mini.SRT', 117],
    ['mavic_pro.SRT', 468],
    ['mavic_pro_buggy.SRT', 546],
    ['mix_p4rtk_mavic2pro.srt', 12],
    ['old_format.SRT', 468],
    ['p4_rtk.SRT', 55],
    ['p4p_sample.SRT', 5],
  ])('%s has %d samples', (file, samples) => {
    const { timeS, latitude } = read(readSidecar(readFileSync(footage(`telemetry/dji_srt/${file}`))));
    expect(timeS.length).toBe(samples);
    expect(latitude.some((value) => Math.abs(value) > 1)).toBe(true);
  });

  it.runIf(hasFootage).each(['broken_empty2.SRT', 'mavic_air.SRT'])('%s has no usable data', (file) => {
    expect(readSidecar(readFileSync(footage(`telemetry/dji_srt/${file}`)))).toHaveProperty('unusable');
  });
});

describe('observed', () => {
  let media: Media;
  beforeAll(async () => {
    media = await createTestMedia();
  });
  afterAll(() => media.close());
  const video = { durationS: 1, width: 16, height: 16, timeBase: [1, 25] as [number, number], hasAudio: false };
  const observed = async (path: string, sidecar: Uint8Array | null = null) => {
    const args: ObserveArgs = { path, video, kinds: ['telemetry'], sidecar, settings: {} };
    const module = new URL('../observe-task.ts', import.meta.url);
    const made = await media.run<ObserveResult>({ module, name: 'observe', args });
    const { video: facts, observation } = decodeObservation(observer, made.telemetry!);
    return { video: facts, ...observation };
  };

  test.runIf(hasFootage)("a GoPro track is read as by GoPro's own reader", async () => {
    const { telemetry, startMs } = await observed(footage('telemetry/gopro_hero7_walk.mp4'));
    // The first packet states 18:15:07.395 UTC, and others up to half a second less.
    expect(Math.abs(startMs! - Date.UTC(2019, 4, 6, 18, 15, 7, 395))).toBeLessThan(500);
    const { GPS5 } = JSON.parse(readFileSync(footage('telemetry/gopro_hero7_walk.telemetry.json'), 'utf8')) as {
      GPS5: number[][];
    };
    expect(telemetry!.source).toBe('GoPro track');
    expect(telemetry!.timeS.length).toBe(GPS5.length);
    GPS5.forEach(([timeS, latitude, longitude, altitude, speed], i) => {
      // GoPro's reader extends the last packet to the end of the video.
      if (i < GPS5.length - 19) expect(telemetry!.timeS[i]).toBeCloseTo(timeS!, 3);
      expect([
        telemetry!.latitude[i],
        telemetry!.longitude[i],
        telemetry!.altitudeM[i],
        telemetry!.speedMps[i],
      ]).toEqual([latitude, longitude, altitude, speed]);
    });
  });

  test("a drone's subtitle track, on the video's clock", async () => {
    const texts = ['H.S 1.00m/s', 'H.S 2.00m/s, F.PRY (0.0°, 0.0°, 90.0°)', 'no more'];
    const { telemetry } = await observed(await captionedClip(await sceneClip(), texts));
    expect(telemetry!.source).toBe('subtitle track');
    expect(telemetry!.timeS).toEqual(Float64Array.of(0, 1));
    expect(telemetry!.speedMps).toEqual(Float64Array.of(1, 2));
    expect(telemetry!.headingDeg[1]).toBe(90);
  });

  test('ordinary subtitles have no usable data', async () => {
    const { telemetry, reason } = await observed(await captionedClip(await sceneClip(), ['Hello', 'and goodbye']));
    expect([telemetry, reason]).toEqual([null, 'the subtitle track of this video has no position and no speed']);
  });

  test('a video without telemetry, and one with a sidecar', async () => {
    const path = await sceneClip();
    expect(await observed(path)).toEqual({ video, telemetry: null, reason: null });
    expect((await observed(path, text('t,speed\n0,5\n1,6\n'))).telemetry!.speedMps).toEqual(Float64Array.of(5, 6));
    expect((await observed(path, text('[1]'))).reason).toMatch(/cannot be used: none of its columns/);
  });
});
