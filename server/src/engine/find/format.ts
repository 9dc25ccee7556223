/** Rounds to a number of digits; never returns -0. */
export const round = (value: number, digits = 2) => {
  const scale = 10 ** digits;
  const rounded = Math.round(value * scale) / scale;
  return Object.is(rounded, -0) ? 0 : rounded;
};

/** Formats a measured value with its unit for an explanation. */
export const formatValue = (value: number, unit: string) =>
  unit.startsWith('share of ')
    ? `${round(value * 100, 1)} %`
    : unit === 'luma'
      ? `${round(value, value < 1 ? 3 : 1)}`
      : `${value} ${unit}`;

/** Text of the reason for which words were not checked. */
export const uncheckedText = ({ text, reason }: { text: string; reason: string }) => `"${text}": ${reason}`;

/** 83.4 is "1:23.4". */
export function clock(timeS: number): string {
  const tenths = Math.round(Math.max(0, timeS) * 10);
  const minutes = Math.floor(tenths / 600);
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
  return minutes >= 60
    ? `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`
    : `${minutes}:${seconds}`;
}
