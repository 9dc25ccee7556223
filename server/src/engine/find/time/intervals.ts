/** A range of array indices, both ends included. */
export type Span = { from: number; to: number };

/**
 * Spans in which a value is in a state: from where it reaches `enter` until before it passes `leave`. High values are
 * searched if `enter` is above `leave`, low values otherwise. The start is moved back to where `leave` was last passed.
 */
export function hysteresis(values: ArrayLike<number>, { enter, leave }: { enter: number; leave: number }): Span[] {
  const sign = enter >= leave ? 1 : -1;
  const spans: Span[] = [];
  let outside = 0;
  let open = -1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]! * sign;
    if (open < 0) {
      if (value < leave * sign) outside = i + 1;
      if (value >= enter * sign) open = outside;
    } else if (value < leave * sign) {
      spans.push({ from: open, to: i - 1 });
      open = -1;
      outside = i + 1;
    }
  }
  if (open >= 0) spans.push({ from: open, to: values.length - 1 });
  return spans;
}

/** Spans in which a flag is set. */
export function runs(length: number, flag: (i: number) => boolean): Span[] {
  const spans: Span[] = [];
  let open = -1;
  for (let i = 0; i <= length; i++) {
    const on = i < length && flag(i);
    if (on && open < 0) open = i;
    else if (!on && open >= 0) {
      spans.push({ from: open, to: i - 1 });
      open = -1;
    }
  }
  return spans;
}

/** Merges spans that are at most `gapS` seconds apart. `endS`: when the entries end, if they have a length. */
export function mergeGaps(
  spans: readonly Span[],
  timeS: ArrayLike<number>,
  gapS: number,
  endS: ArrayLike<number> = timeS,
): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && timeS[span.from]! - endS[last.to]! <= gapS) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

/** Parts of 0 … length - 1 that no span covers. */
export function complement(spans: readonly Span[], length: number): Span[] {
  const rest: Span[] = [];
  let next = 0;
  for (const span of spans) {
    if (span.from > next) rest.push({ from: next, to: span.from - 1 });
    next = Math.max(next, span.to + 1);
  }
  if (next < length) rest.push({ from: next, to: length - 1 });
  return rest;
}

/** Parts of `spans` outside all `holes`. Both must be sorted. */
export function subtract(spans: readonly Span[], holes: readonly Span[]): Span[] {
  return spans.flatMap((span) => {
    const inside = holes
      .filter((hole) => hole.to >= span.from && hole.from <= span.to)
      .map((hole) => ({
        from: Math.max(hole.from, span.from) - span.from,
        to: Math.min(hole.to, span.to) - span.from,
      }));
    return complement(inside, span.to - span.from + 1).map((part) => ({
      from: part.from + span.from,
      to: part.to + span.from,
    }));
  });
}

/** Intersection of two sorted lists of spans. */
export function intersect(a: readonly Span[], b: readonly Span[]): Span[] {
  const both: Span[] = [];
  let j = 0;
  for (const span of a) {
    while (j > 0 && b[j - 1]!.to >= span.from) j--;
    while (j < b.length && b[j]!.to < span.from) j++;
    for (let k = j; k < b.length && b[k]!.from <= span.to; k++)
      both.push({ from: Math.max(span.from, b[k]!.from), to: Math.min(span.to, b[k]!.to) });
  }
  return both;
}

/** Moving average over `windowS` seconds, centered on each entry. */
export function smooth(input: ArrayLike<number>, timeS: ArrayLike<number>, windowS: number): Float64Array {
  // The loop is several times faster over one array type; three hours of video have 300,000 frames.
  const values = new Float64Array(input);
  const result = new Float64Array(values.length);
  let from = 0;
  let to = 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    while (to < values.length && timeS[to]! <= timeS[i]! + windowS / 2) sum += values[to++]!;
    while (timeS[from]! < timeS[i]! - windowS / 2) sum -= values[from++]!;
    result[i] = sum / (to - from);
  }
  return result;
}

/** Median; 0 if there are no values. */
export const median = (values: ArrayLike<number>) => quantile(values, 0.5);

/** Value below which a share of the values lies; 0 if there are no values. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = new Float64Array(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Index of the last entry at or before a time; -1 if all are later. */
export function indexAt(timeS: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = timeS.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeS[middle]! <= time + 1e-9) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
