/** A time in a video for people: `m:ss.s`, or `h:mm:ss.s` from an hour on. */
export function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const [h, m, s] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, Math.floor(tenths / 10) % 60];
  return `${h > 0 ? `${h}:${String(m).padStart(2, '0')}` : m}:${String(s).padStart(2, '0')}.${tenths % 10}`;
}
