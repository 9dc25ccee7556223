/** Which rows of the timeline a person wants to see, and in which order. Rows are named by their ids. */
export type LaneChoice = {
  /** Rows that were shown or hidden by hand. Others: as they are by default. */
  shown: Readonly<Record<string, boolean>>;
  /** Rows at the top, in this order. */
  pinned: readonly string[];
  /** Rows that were moved, and those around them, in their order. */
  order: readonly string[];
};

/** A row as the choice sees it; `isFolded`: hidden unless somebody shows it. */
type Row = { id: string; isFolded?: boolean };

export const NO_CHOICE: LaneChoice = { shown: {}, pinned: [], order: [] };

/** All rows in the chosen order: first those that are pinned. */
export function orderLanes<T extends Row>(lanes: readonly T[], { pinned, order }: LaneChoice): T[] {
  const byId = new Map(lanes.map((lane) => [lane.id, lane]));
  // Rows that were ordered share their places; all others stay where they are by default.
  const ordered = order.flatMap((id) => byId.get(id) ?? []);
  const isOrdered = new Set(ordered);
  let next = 0;
  const arranged = lanes.map((lane) => (isOrdered.has(lane) ? ordered[next++]! : lane));
  const top = pinned.flatMap((id) => byId.get(id) ?? []);
  return [...top, ...arranged.filter((lane) => !top.includes(lane))];
}

export const isShown = ({ id, isFolded = false }: Row, { shown }: LaneChoice): boolean => shown[id] ?? !isFolded;

/** Moves a row up (-1) or down (1) among the ordered rows. */
export function moveLane(lanes: readonly Row[], choice: LaneChoice, id: string, direction: 1 | -1): LaneChoice {
  const ids = lanes.map((lane) => lane.id);
  const at = ids.indexOf(id);
  const to = at + direction;
  if (at < 0 || to < 0 || to >= ids.length) return choice;
  [ids[at], ids[to]] = [ids[to]!, ids[at]!];
  // A pinned row that leaves the pinned ones, or one that enters them, would jump back.
  const pinned = ids.filter((each) => choice.pinned.includes(each));
  return { ...choice, pinned, order: ids };
}

/** Whether a row may be moved: pinned rows stay above the others. */
export function canMove(lanes: readonly Row[], { pinned }: LaneChoice, id: string, direction: 1 | -1): boolean {
  const at = lanes.findIndex((lane) => lane.id === id);
  const other = lanes[at + direction];
  return other !== undefined && pinned.includes(other.id) === pinned.includes(id);
}

const KEY = 'sightline.lanes.';

/** The choice for a kind of recording that this browser remembers. */
export function readChoice(kind: string): LaneChoice {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY + kind) ?? 'null');
    return typeof stored === 'object' ? { ...NO_CHOICE, ...stored } : NO_CHOICE;
  } catch {
    return NO_CHOICE;
  }
}

export function storeChoice(kind: string, choice: LaneChoice): void {
  localStorage.setItem(KEY + kind, JSON.stringify(choice));
}
