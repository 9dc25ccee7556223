/** Joins class names; everything that is not a text is left out. */
export const classes = (...names: unknown[]): string =>
  names.filter((name) => typeof name === 'string' && name).join(' ');
