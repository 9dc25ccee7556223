import { SCENE } from './scene.ts';

/** Audio of the demo video: a quiet hum, passing engines, a silence, a siren, a bang. Mono samples from -1 to 1. */
export function createAudio(): { sampleRate: number; samples: Float32Array } {
  const { soundRate, durationS, redCar, bus, blueCar, silence, siren, bangS } = SCENE;
  const engines = [
    { ...redCar, hertz: 90, peak: 0.1 },
    { ...bus, hertz: 55, peak: 0.16 },
    { startS: blueCar.startS, endS: blueCar.stopsS, hertz: 80, peak: 0.08 },
  ];
  let sirenPhase = 0;
  let hum = 0;
  let grain = 7;
  const noise = () => {
    grain = (Math.imul(grain, 1_664_525) + 1_013_904_223) >>> 0;
    return grain / 2 ** 31 - 1;
  };
  const samples = Float32Array.from({ length: durationS * soundRate }, (_, i) => {
    const timeS = i / soundRate;
    const white = noise();
    // A low pass turns hiss into distant traffic.
    hum += (white - hum) * 0.03;
    if (timeS >= silence.startS && timeS < silence.endS) return 0;
    let value = hum * 0.12;
    for (const { startS, endS, hertz, peak } of engines) {
      if (timeS < startS || timeS >= endS) continue;
      const nearness = Math.sin((Math.PI * (timeS - startS)) / (endS - startS)) ** 2;
      const phase = 2 * Math.PI * hertz * timeS;
      value += peak * nearness * (Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.3 * white * 0.4);
    }
    if (timeS >= siren.startS && timeS < siren.endS) {
      sirenPhase += (2 * Math.PI * sirenHertz(timeS - siren.startS)) / soundRate;
      const fade = Math.min(1, (timeS - siren.startS) / SIREN_FADE_S, (siren.endS - timeS) / SIREN_FADE_S);
      value += SIREN_PEAK * fade * sirenWave(sirenPhase);
    }
    if (timeS >= bangS) value += 0.95 * white * Math.exp(-(timeS - bangS) * 14);
    return Math.max(-1, Math.min(1, value));
  });
  return { sampleRate: soundRate, samples };
}

/** Loudest sample of the siren, and the time in which it comes near and goes away. */
const SIREN_PEAK = 0.15;
const SIREN_FADE_S = 0.8;
/** A wail: its pitch rises and falls once in this time, between these frequencies. */
const WAIL_S = 2.4;
const WAIL_HERTZ = { low: 600, high: 1_350 };

function sirenHertz(timeS: number): number {
  const rise = (1 - Math.cos((2 * Math.PI * timeS) / WAIL_S)) / 2;
  return WAIL_HERTZ.low * (WAIL_HERTZ.high / WAIL_HERTZ.low) ** rise;
}

/** The first three odd harmonics, as of a horn driven by a square wave; at most 1. */
const sirenWave = (phase: number) => (Math.sin(phase) + Math.sin(3 * phase) / 3 + Math.sin(5 * phase) / 5) / 1.2;
