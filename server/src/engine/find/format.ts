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
