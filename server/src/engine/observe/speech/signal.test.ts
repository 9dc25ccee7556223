import { describe, expect, test } from 'vitest';
import { createPowerSpectrum } from './fourier.ts';
import { BANDS, createLogMel, FRAMES } from './log-mel.ts';

const tone = (hz: number, length: number) =>
  Float32Array.from({ length }, (_, i) => Math.sin((2 * Math.PI * hz * i) / 16_000));

describe('the power spectrum', () => {
  test.each([2, 6, 16, 30, 400, 14])('of %i samples is that of the definition', (length) => {
    const samples = Float64Array.from({ length }, (_, i) => Math.sin(i * i) + 0.3);
    const power = new Float64Array(length / 2 + 1);
    createPowerSpectrum(length)(samples, power);
    for (const [k, value] of power.entries()) {
      let [re, im] = [0, 0];
      for (const [i, sample] of samples.entries()) {
        re += sample * Math.cos((2 * Math.PI * k * i) / length);
        im -= sample * Math.sin((2 * Math.PI * k * i) / length);
      }
      expect(value).toBeCloseTo(re * re + im * im, 8);
    }
  });
});

describe('the spectrogram', () => {
  const logMel = createLogMel();
  const loudest = (mel: Float32Array, frame: number) => {
    const column = Array.from({ length: BANDS }, (_, band) => mel[band * FRAMES + frame]!);
    return column.indexOf(Math.max(...column));
  };

  test('has a tone in its band, and silence after the end', () => {
    const mel = logMel(tone(1_000, 16_000));
    // 1 kHz is 15 of the 45.2 mel up to 8 kHz, so near a third of the 80 bands.
    expect(loudest(mel, 50)).toBe(26);
    expect(loudest(logMel(tone(200, 16_000)), 50)).toBeLessThan(loudest(logMel(tone(4_000, 16_000)), 50));
    const [max, floor] = [mel.reduce((a, b) => Math.max(a, b)), mel[FRAMES - 1]!];
    expect(max - floor).toBeCloseTo(8 / 4, 5);
    for (let band = 0; band < BANDS; band++) expect(mel[band * FRAMES + 200]).toBe(floor);
  });

  test('ignores samples after 30 s', () => {
    const long = tone(500, 16_000 * 31);
    expect(logMel(long)).toEqual(logMel(long.subarray(0, 16_000 * 30 + 480)));
  });
});
