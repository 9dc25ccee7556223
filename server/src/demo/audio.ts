import { SCENE } from './scene.ts';

/** Audio of the demo video: a quiet hum, passing engines, a silence, a bang. Mono samples from -1 to 1. */
export function createAudio(): { sampleRate: number; samples: Float32Array } {
  const { soundRate, durationS, redCar, bus, blueCar, silence, bangS } = SCENE;
  const engines = [
    { ...redCar, hertz: 90, peak: 0.1 },
    { ...bus, hertz: 55, peak: 0.16 },
    { startS: blueCar.startS, endS: blueCar.stopsS, hertz: 80, peak: 0.08 },
  ];
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
    if (timeS >= bangS) value += 0.95 * white * Math.exp(-(timeS - bangS) * 14);
    return Math.max(-1, Math.min(1, value));
  });
  return { sampleRate: soundRate, samples };
}
