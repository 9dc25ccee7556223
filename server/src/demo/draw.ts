import { fileURLToPath } from 'node:url';
import { GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import type { RgbaFrame, TaskContext } from '#platform/media/index';
import { createAudio } from './audio.ts';
import { generator, place, renderFrames } from './frames.ts';
import { SCENE } from './scene.ts';
import { GROUND, paintStreet } from './street.ts';
import { drawBus, drawCar, drawPerson, drawStopSign } from './vehicles.ts';

const FONT = 'Demo Sans';
const RED = { light: '#ff7a6a', base: '#d4221c', dark: '#6d0d0a' };
const BLUE = { light: '#8fb7e8', base: '#2c62b0', dark: '#142f5c' };
/** In frames: four seconds. */
const KEYFRAME_DISTANCE = 80;

/** Task of `renderDemoVideo`, runs in a media process. */
export async function render({ path }: { path: string }, { encoder, progress }: TaskContext): Promise<void> {
  GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')), FONT);
  const { width, height, durationS } = SCENE;
  await encoder.encode(path, {
    width,
    height,
    frames: streetFrames(progress),
    endS: durationS,
    audio: createAudio(),
    // A user waits for it.
    effort: 'low',
    // A keyframe changes an image a little, so that none may be in the frozen range.
    gopSize: KEYFRAME_DISTANCE,
  });
}

function streetFrames(progress: (fraction: number) => void): Generator<RgbaFrame> {
  const { width, height, cutS } = SCENE;
  const random = generator(12);
  const streets = {
    day: paintStreet(width, height, 'day', random),
    evening: paintStreet(width, height, 'evening', random),
  };
  const draw = (context: SKRSContext2D, timeS: number) => {
    context.drawImage(timeS < cutS ? streets.day : streets.evening, 0, 0);
    if (timeS < cutS) drawDay(context, timeS);
    else drawEvening(context, timeS);
  };
  return renderFrames(SCENE, random, draw, progress);
}

function drawDay(c: SKRSContext2D, timeS: number): void {
  const { redCar, person, width } = SCENE;
  place(c, 820, 356, 0.8, () => drawStopSign(c, FONT));
  if (timeS >= person.startS) {
    const x = width + 40 - (timeS - person.startS) * 95;
    place(c, x, GROUND.pavement, -0.85, () => drawPerson(c, x / 14));
  }
  if (timeS >= redCar.startS && timeS < redCar.endS) {
    const x = -150 + ((timeS - redCar.startS) / (redCar.endS - redCar.startS)) * (width + 300);
    place(c, x, GROUND.nearLane, 1, () => drawCar(c, RED, x / 29, false));
  }
}

function drawEvening(c: SKRSContext2D, timeS: number): void {
  const { bus, blueCar, dark, width, height } = SCENE;
  place(c, 780, 356, 0.8, () => drawStopSign(c, FONT));
  if (timeS >= bus.startS && timeS < bus.endS) {
    const x = width + 200 - ((timeS - bus.startS) / (bus.endS - bus.startS)) * (width + 400);
    place(c, x, GROUND.farLane, -0.9, () => drawBus(c, x / 30));
  }
  if (timeS >= blueCar.startS) {
    // Slows down evenly to a stand.
    const remaining = Math.max(0, 1 - (timeS - blueCar.startS) / (blueCar.stopsS - blueCar.startS));
    const x = 560 - 710 * remaining * remaining;
    place(c, x, GROUND.nearLane, 1, () => drawCar(c, BLUE, x / 29, true));
  }
  if (timeS >= dark.startS && timeS < dark.endS) {
    c.fillStyle = 'rgba(0, 0, 0, 0.95)';
    c.fillRect(0, 0, width, height);
  }
}
