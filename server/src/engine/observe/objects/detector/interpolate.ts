/** For each target pixel, the two source pixels that it lies between, and the share of the second one. */
export function interpolate(from: number, to: number): { before: number; after: number; share: number }[] {
  return Array.from({ length: to }, (_, pixel) => {
    const place = Math.min(from - 1, Math.max(0, ((pixel + 0.5) * from) / to - 0.5));
    const before = Math.floor(place);
    return { before, after: Math.min(from - 1, before + 1), share: place - before };
  });
}
