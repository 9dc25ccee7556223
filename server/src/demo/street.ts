import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { ellipse, line } from './vehicles.ts';

/** Vertical positions in pixels from the top: the pavement, and the two sides of the road. */
export const GROUND = { pavement: 352, farLane: 410, nearLane: 486 } as const;

type Palette = {
  sky: [string, string];
  hills: string;
  walls: string[];
  roof: string;
  pane: string;
  lit: string;
  leaf: string;
  road: string;
  pavement: string;
  lamp: boolean;
};

const DAY: Palette = {
  sky: ['#5fa8e6', '#d4ebf8'],
  hills: '#8fb08e',
  walls: ['#d8b08c', '#c7876a', '#e3d3b4', '#a9b7c0', '#d4c49a'],
  roof: '#7a4a3a',
  pane: '#9db9c9',
  lit: '#9db9c9',
  leaf: '#4d8a45',
  road: '#5b5d60',
  pavement: '#b9b4aa',
  lamp: false,
};

const EVENING: Palette = {
  sky: ['#27335c', '#d98a5b'],
  hills: '#3c4a52',
  walls: ['#6d5a5c', '#7d5a50', '#77706b', '#566069', '#6f6656'],
  roof: '#3a2b2b',
  pane: '#39434f',
  lit: '#f7d27a',
  leaf: '#2f4a35',
  road: '#404247',
  pavement: '#76726d',
  lamp: true,
};

/** Paints the static background: an empty street. `random` chooses the houses. */
export function paintStreet(width: number, height: number, time: 'day' | 'evening', random: () => number): Canvas {
  const canvas = createCanvas(width, height);
  const c = canvas.getContext('2d');
  const colors = time === 'day' ? DAY : EVENING;
  const sky = c.createLinearGradient(0, 0, 0, 300);
  sky.addColorStop(0, colors.sky[0]);
  sky.addColorStop(1, colors.sky[1]);
  c.fillStyle = sky;
  c.fillRect(0, 0, width, 320);
  if (time === 'day') paintClouds(c, random);
  c.fillStyle = colors.hills;
  for (let x = -100; x < width + 100; x += 120) ellipse(c, x + random() * 60, 300, 130, 40 + random() * 40);

  for (let x = -20 - random() * 60; x < width; ) {
    const wide = 110 + random() * 90;
    paintHouse(c, x, wide, 130 + random() * 100, colors, random);
    x += wide + random() * 14;
  }
  c.fillStyle = colors.pavement;
  c.fillRect(0, 318, width, 44);
  c.fillStyle = 'rgba(0, 0, 0, 0.12)';
  for (let x = 0; x < width; x += 46) c.fillRect(x, 318, 2, 44);
  for (let i = 0; i < 3; i++) paintTree(c, 90 + i * 330 + random() * 120, 326, colors, random);
  if (colors.lamp) for (const x of [180, 560, 880]) paintLamp(c, x);
  paintRoad(c, width, height, colors, random);
  return canvas;
}

function paintClouds(c: SKRSContext2D, random: () => number): void {
  c.fillStyle = 'rgba(255, 255, 255, 0.75)';
  for (let i = 0; i < 4; i++) {
    const x = 80 + i * 250 + random() * 90;
    const y = 40 + random() * 50;
    for (let k = 0; k < 5; k++) ellipse(c, x + k * 24, y + random() * 12, 26, 13 + random() * 8);
  }
}

function paintHouse(
  c: SKRSContext2D,
  x: number,
  wide: number,
  high: number,
  colors: Palette,
  random: () => number,
): void {
  const top = 322 - high;
  c.fillStyle = colors.walls[Math.floor(random() * colors.walls.length)]!;
  c.fillRect(x, top, wide, high);
  c.fillStyle = 'rgba(0, 0, 0, 0.13)';
  c.fillRect(x + wide - 14, top, 14, high);
  c.fillStyle = colors.roof;
  c.beginPath();
  c.moveTo(x - 8, top + 2);
  c.lineTo(x + wide * 0.18, top - 34);
  c.lineTo(x + wide * 0.82, top - 34);
  c.lineTo(x + wide + 8, top + 2);
  c.fill();
  const columns = Math.max(2, Math.floor(wide / 44));
  for (let row = 0; row * 52 + 40 < high - 56; row++) {
    for (let column = 0; column < columns; column++) {
      const left = x + 12 + (column * (wide - 20)) / columns;
      c.fillStyle = '#efe9dd';
      c.fillRect(left, top + 18 + row * 52, 26, 34);
      c.fillStyle = random() < 0.6 ? colors.lit : colors.pane;
      c.fillRect(left + 3, top + 21 + row * 52, 20, 28);
      c.fillStyle = '#efe9dd';
      c.fillRect(left + 12, top + 21 + row * 52, 2, 28);
    }
  }
  c.fillStyle = '#4a3628';
  c.fillRect(x + wide / 2 - 13, 268, 26, 54);
}

function paintTree(c: SKRSContext2D, x: number, y: number, colors: Palette, random: () => number): void {
  c.fillStyle = '#5b4433';
  c.fillRect(x - 6, y - 92, 12, 96);
  c.fillStyle = colors.leaf;
  for (let i = 0; i < 14; i++) {
    c.globalAlpha = 0.75 + random() * 0.25;
    ellipse(c, x - 40 + random() * 80, y - 150 + random() * 70, 22 + random() * 14, 20 + random() * 10);
  }
  c.globalAlpha = 1;
}

function paintLamp(c: SKRSContext2D, x: number): void {
  c.fillStyle = '#2b2d30';
  c.fillRect(x - 3, 170, 6, 160);
  const glow = c.createRadialGradient(x, 168, 2, x, 168, 70);
  glow.addColorStop(0, 'rgba(255, 228, 150, 0.9)');
  glow.addColorStop(1, 'rgba(255, 228, 150, 0)');
  c.fillStyle = glow;
  c.fillRect(x - 70, 98, 140, 140);
  c.fillStyle = '#fff2c4';
  ellipse(c, x, 168, 9, 9);
}

function paintRoad(c: SKRSContext2D, width: number, height: number, colors: Palette, random: () => number): void {
  c.fillStyle = '#8d8982';
  c.fillRect(0, 360, width, 8);
  c.fillStyle = colors.road;
  c.fillRect(0, 368, width, height - 368);
  for (let i = 0; i < 900; i++) {
    c.fillStyle = `rgba(${random() < 0.5 ? '0, 0, 0' : '255, 255, 255'}, 0.06)`;
    c.fillRect(random() * width, 370 + random() * (height - 370), 3 + random() * 14, 2);
  }
  c.strokeStyle = 'rgba(240, 240, 230, 0.85)';
  c.lineWidth = 6;
  c.setLineDash([60, 50]);
  line(c, 0, 436, width, 436);
  c.setLineDash([]);
  c.lineWidth = 4;
  line(c, 0, 376, width, 376);
  c.lineWidth = 5;
  line(c, 0, 520, width, 520);
}
