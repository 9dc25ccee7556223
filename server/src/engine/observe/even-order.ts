const BITS = 16;

/** Position of an index in an order in which the first of any number are spread evenly: its bits reversed. */
export function evenOrder(index: number): number {
  let reversed = 0;
  for (let bit = 0; bit < BITS; bit++) if (index & (1 << bit)) reversed |= 1 << (BITS - 1 - bit);
  return reversed;
}
