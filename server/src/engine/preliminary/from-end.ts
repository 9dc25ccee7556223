import type { Plan } from '../plan/index.ts';

/** True if a plan is about a part of the video that depends on its length, such as its last ten seconds. */
export function dependsOnLength({ window, searches }: Plan): boolean {
  const windows = [window, ...searches.map((search) => search.window)];
  return windows.some(
    (each) =>
      each != null && (each.unit === 'share' || each.edge || each.from < 0 || (each.to !== null && each.to < 0)),
  );
}
