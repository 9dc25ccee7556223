import type { SKRSContext2D } from '@napi-rs/canvas';

/** Objects of the street, each drawn with its base at (0, 0), facing right, in pixels of a 960 × 540 frame. */
type Canvas = SKRSContext2D;

/** A saloon car, 300 long. `turn` is how far its wheels have rolled, in radians. */
export function drawCar(
  c: Canvas,
  color: { light: string; base: string; dark: string },
  turn: number,
  lights: boolean,
): void {
  shadow(c, 150, 156);
  // The body: bonnet, roof and boot as one line.
  c.beginPath();
  c.moveTo(-146, -30);
  c.bezierCurveTo(-150, -52, -146, -64, -128, -66);
  c.lineTo(-92, -70);
  c.bezierCurveTo(-66, -98, -48, -106, -10, -107);
  c.bezierCurveTo(30, -107, 46, -100, 80, -72);
  c.bezierCurveTo(112, -69, 138, -62, 146, -48);
  c.bezierCurveTo(150, -40, 150, -30, 146, -24);
  c.lineTo(-140, -22);
  c.closePath();
  const paint = c.createLinearGradient(0, -108, 0, -20);
  paint.addColorStop(0, color.light);
  paint.addColorStop(0.45, color.base);
  paint.addColorStop(0.55, color.light);
  paint.addColorStop(0.62, color.base);
  paint.addColorStop(1, color.dark);
  c.fillStyle = paint;
  c.fill();
  c.strokeStyle = color.dark;
  c.lineWidth = 2;
  c.stroke();

  glass(c, [
    [-80, -70],
    [-56, -93],
    [-44, -98],
    [-8, -99],
    [-8, -70],
  ]);
  glass(c, [
    [0, -70],
    [0, -99],
    [28, -98],
    [42, -93],
    [68, -70],
  ]);
  c.strokeStyle = color.dark;
  c.lineWidth = 1.5;
  for (const x of [-86, -4, 72]) line(c, x, -70, x + (x > 0 ? -2 : 2), -30);
  c.fillStyle = '#222';
  c.fillRect(-24, -63, 14, 3);
  c.fillRect(52, -63, 14, 3);
  // Sill and bumpers.
  c.fillStyle = '#2a2a2e';
  c.fillRect(-140, -27, 284, 7);
  c.fillStyle = lights ? '#fff7c0' : '#e8eef2';
  ellipse(c, 137, -48, 9, 6);
  c.fillStyle = lights ? '#ff4030' : '#a01818';
  c.fillRect(-147, -58, 8, 14);
  c.fillStyle = color.dark;
  ellipse(c, 64, -76, 7, 5);
  for (const x of [-92, 92]) wheel(c, x, 29, turn);
}

/** A city bus, 430 long. */
export function drawBus(c: Canvas, turn: number): void {
  shadow(c, 215, 222);
  const paint = c.createLinearGradient(0, -190, 0, -20);
  paint.addColorStop(0, '#f6c445');
  paint.addColorStop(0.5, '#eeb21e');
  paint.addColorStop(1, '#b97f0a');
  c.fillStyle = paint;
  c.beginPath();
  c.roundRect(-215, -190, 430, 166, [14, 22, 6, 6]);
  c.fill();
  c.fillStyle = '#f4f1e6';
  c.fillRect(-208, -186, 416, 12);
  c.fillStyle = '#26241f';
  c.beginPath();
  c.roundRect(-205, -168, 410, 64, 6);
  c.fill();
  for (let i = 0; i < 6; i++) {
    const x = -198 + i * 56;
    const pane = c.createLinearGradient(x, -165, x + 50, -108);
    pane.addColorStop(0, '#d9d4c6');
    pane.addColorStop(0.4, '#6f6c66');
    pane.addColorStop(1, '#45433f');
    c.fillStyle = pane;
    c.fillRect(x, -164, 50, 56);
  }
  // Door and windscreen.
  c.fillStyle = '#57544e';
  c.fillRect(142, -166, 24, 132);
  c.fillRect(168, -166, 24, 132);
  c.fillStyle = '#cfcabd';
  c.fillRect(196, -166, 17, 70);
  c.fillStyle = '#8c2f12';
  c.fillRect(-212, -88, 346, 10);
  c.fillStyle = '#222';
  c.fillRect(-212, -30, 424, 8);
  c.fillStyle = '#fff3b0';
  ellipse(c, 207, -52, 6, 9);
  c.fillStyle = '#a01818';
  c.fillRect(-215, -70, 6, 26);
  for (const x of [-130, 100]) wheel(c, x, 33, turn);
}

/** A person walking, 150 high. `step` is the phase of the gait in radians. */
export function drawPerson(c: Canvas, step: number): void {
  shadow(c, 26, 30);
  const swing = Math.sin(step);
  const limb = (
    fromX: number,
    fromY: number,
    angle: number,
    bend: number,
    upper: number,
    lower: number,
    width: number,
    color: string,
    end: string,
  ) => {
    const kneeX = fromX + Math.sin(angle) * upper;
    const kneeY = fromY + Math.cos(angle) * upper;
    const footX = kneeX + Math.sin(angle + bend) * lower;
    const footY = kneeY + Math.cos(angle + bend) * lower;
    c.strokeStyle = color;
    c.lineWidth = width;
    c.lineCap = 'round';
    c.lineJoin = 'round';
    c.beginPath();
    c.moveTo(fromX, fromY);
    c.lineTo(kneeX, kneeY);
    c.lineTo(footX, footY);
    c.stroke();
    c.fillStyle = end;
    return [footX, footY] as const;
  };
  const leg = (side: number, color: string) => {
    const angle = swing * 0.5 * side;
    const [x, y] = limb(0, -76, angle, angle < 0 ? -0.35 : -0.12, 36, 36, 15, color, '#1c1c1c');
    ellipse(c, x + 6, y + 1, 11, 5);
  };
  const arm = (side: number, color: string) => {
    const [x, y] = limb(0, -122, -swing * 0.55 * side, 0.35, 26, 24, 10, color, '#d9a27c');
    ellipse(c, x, y, 5, 5);
  };
  leg(-1, '#22304a');
  arm(-1, '#27463f');
  const coat = c.createLinearGradient(-18, 0, 18, 0);
  coat.addColorStop(0, '#2c5a4e');
  coat.addColorStop(1, '#437f70');
  c.fillStyle = coat;
  c.beginPath();
  c.roundRect(-16, -130, 32, 62, 11);
  c.fill();
  leg(1, '#2b3c5c');
  arm(1, '#39695d');
  c.fillStyle = '#d9a27c';
  c.fillRect(-4, -138, 9, 10);
  ellipse(c, 2, -147, 11, 13);
  c.fillStyle = '#3a2619';
  c.beginPath();
  c.ellipse(0, -151, 12, 11, 0, Math.PI * 0.9, Math.PI * 2.02);
  c.fill();
}

/** A stop sign on its pole, 190 high. */
export function drawStopSign(c: Canvas, font: string): void {
  c.fillStyle = '#8d9399';
  c.fillRect(-4, -150, 8, 150);
  const octagon = (radius: number, color: string) => {
    c.fillStyle = color;
    c.beginPath();
    for (let i = 0; i < 8; i++) {
      const angle = Math.PI / 8 + (i * Math.PI) / 4;
      c.lineTo(Math.cos(angle) * radius, -158 + Math.sin(angle) * radius);
    }
    c.fill();
  };
  octagon(36, '#7d0f12');
  octagon(35, '#f2f2f2');
  octagon(31, '#c2181c');
  c.fillStyle = '#f6f6f6';
  c.font = `21px "${font}"`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillText('STOP', 0, -157);
}

function wheel(c: Canvas, x: number, radius: number, turn: number): void {
  c.fillStyle = '#151515';
  ellipse(c, x, -radius, radius + 4, radius + 3);
  c.fillStyle = '#1d1d1f';
  ellipse(c, x, -radius, radius, radius);
  c.fillStyle = '#b9bec4';
  ellipse(c, x, -radius, radius * 0.62, radius * 0.62);
  c.strokeStyle = '#5d6369';
  c.lineWidth = 4;
  for (let i = 0; i < 5; i++) {
    const angle = turn + (i * Math.PI * 2) / 5;
    line(c, x, -radius, x + Math.cos(angle) * radius * 0.55, -radius + Math.sin(angle) * radius * 0.55);
  }
  c.fillStyle = '#43484d';
  ellipse(c, x, -radius, 5, 5);
}

function glass(c: Canvas, points: [number, number][]): void {
  const pane = c.createLinearGradient(0, -100, 0, -68);
  pane.addColorStop(0, '#2b3a45');
  pane.addColorStop(0.6, '#546b7a');
  pane.addColorStop(1, '#8aa3b1');
  c.fillStyle = pane;
  c.beginPath();
  for (const [x, y] of points) c.lineTo(x, y);
  c.closePath();
  c.fill();
}

function shadow(c: Canvas, half: number, spread: number): void {
  const soft = c.createRadialGradient(0, 0, 0, 0, 0, spread);
  soft.addColorStop(0, 'rgba(0, 0, 0, 0.55)');
  soft.addColorStop(0.8, 'rgba(0, 0, 0, 0.35)');
  soft.addColorStop(1, 'rgba(0, 0, 0, 0)');
  c.save();
  c.scale(1, 0.09);
  c.fillStyle = soft;
  c.fillRect(-half - 20, -spread, half * 2 + 40, spread * 2);
  c.restore();
}

export function ellipse(c: Canvas, x: number, y: number, rx: number, ry: number): void {
  c.beginPath();
  c.ellipse(x, y, rx, ry, 0, 0, Math.PI * 2);
  c.fill();
}

export function line(c: Canvas, x1: number, y1: number, x2: number, y2: number): void {
  c.beginPath();
  c.moveTo(x1, y1);
  c.lineTo(x2, y2);
  c.stroke();
}
