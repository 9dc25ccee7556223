import { type Item, isUnknown, sense } from './items.ts';
import type { ActionSense, Compare, Preposition, Sense } from './lexicon.ts';
import { regionOf } from './region.ts';
import type { Direction, Quantity, Range, Region, Relation, Side, Thing, Unchecked } from './schema.ts';

type SenseOf<T extends Sense['type']> = Extract<Sense, { type: T }>;

/** What one segment of a prompt says, before it is tied to its neighbours. */
export type Clause = {
  text: string;
  subject: Thing | null;
  /** The subject is definite or generic ("the car", "vehicle"), so that it may mean the one that carries the camera. */
  plainSubject: boolean;
  pronoun: boolean;
  action: ActionSense | null;
  direction: Direction | null;
  from: Side | null;
  to: Side | null;
  relation: { kind: Relation; other: Thing; negated: boolean } | null;
  camera: boolean;
  cameraMove: SenseOf<'camera_move'> | null;
  signal: SenseOf<'signal'> | null;
  sound: SenseOf<'sound'> | null;
  motion: boolean;
  empty: boolean;
  quantity: Quantity | null;
  range: Range | null;
  place: Region | null;
  negated: boolean;
  /** The subject is there and does not do it. */
  idle: boolean;
  duration: Range | null;
  within: number | null;
  both: boolean;
  unchecked: Unchecked[];
};

const VEHICLES = new Set(['car', 'truck', 'bus', 'motorcycle']);
const UNKNOWN = 'this is none of the things, actions, signals or sounds that can be looked for here';
const TWO_THINGS = 'what one thing does to another is only seen as nearness, overlap, approaching and passing';

/** Reads one segment, left to right, once. */
export function readClause(items: readonly Item[], query: string): Clause {
  const clause = emptyClause(textOf(items, query));
  let pending = nothingPending();
  let negation = false;
  let relation: { kind: Relation; fallback: ActionSense | null } | null = null;
  let preposition: Preposition | null = null;
  let compare: Compare | null = null;
  let lastThing: Thing | null = null;
  let unknownStart = -1;
  let unknownEnd = -1;
  /** What a quantity means when no number is said. */
  let assumed: { item: Item; reason: string } | null = null;

  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    if (isUnknown(item)) unknown(item);
    else i += take(item, i);
  }
  return finish();

  /** Reads one item; returns how many following items were read with it. */
  function take(item: Item, i: number): number {
    const next = significant(i + 1);
    if (item.senses.length === 0) return 0;
    if (sense(item, 'number')) return takeNumber(i);
    const compared = sense(item, 'compare');
    const counted = sense(next, 'number') || (sense(next, 'unit') && !sense(next, 'filler'));
    if (compared && (counted || item.senses.length === 1)) {
      if (counted) compare = compared.compare;
      return 0;
    }
    const color = sense(item, 'color');
    if (color && takeColor(color, item, next)) return 0;
    const thing = sense(item, 'thing');
    if (thing) return takeThing(thing, item);
    const count = sense(item, 'count');
    if (count) {
      pending.count = { min: count.min, max: count.max };
      return 0;
    }
    const place = sense(item, 'setting');
    if (place && preposition !== null) {
      takeSetting(item);
      return 0;
    }
    if (sense(item, 'garment') && pending.colors.length > 0) {
      takeGarment(item);
      return 0;
    }
    const side = sense(item, 'side');
    if (side && !leftAsVerb(item, i)) return takeSide(i);
    const state = sense(item, 'state');
    if (state) {
      takeState(state, item, next);
      return 0;
    }
    const related = sense(item, 'relation');
    const action = sense(item, 'action');
    if (related && !(action && !clause.subject)) {
      relation = { kind: related.relation, fallback: action };
      return 0;
    }
    if (action) {
      takeAction(action, item);
      return 0;
    }
    const direction = sense(item, 'direction');
    if (direction) {
      clause.direction ??= direction.direction;
      return 0;
    }
    return takeRest(item, next);
  }

  function takeRest(item: Item, next: Item | undefined): number {
    const preposed = sense(item, 'preposition');
    const signal = sense(item, 'signal');
    const move = sense(item, 'camera_move');
    const quantity = sense(item, 'quantity');
    const sound = sense(item, 'sound');
    const beyond = sense(item, 'beyond');
    const vague = sense(item, 'vague');
    if (preposed) preposition = preposed.preposition;
    else if (sense(item, 'negation')) negation = true;
    else if (sense(item, 'join')?.join === 'both') clause.both = true;
    else if (signal) takeSignal(signal, item, next);
    else if (sound) {
      clause.sound = sound;
      takeNegation();
      caveat(item, sound.caveat);
    } else if (sense(item, 'camera')) takeCamera();
    else if (move) takeCameraMove(move, item);
    else if (quantity) {
      if (clause.camera || !clause.subject || clause.plainSubject) {
        clause.quantity = quantity.quantity;
        if (!clause.range && quantity.min !== undefined)
          clause.range = { min: quantity.min, max: quantity.max ?? null };
        if (quantity.caveat) assumed = { item, reason: quantity.caveat };
      } else block(item.text, 'the speed of things in the picture is not measured');
    } else if (sense(item, 'motion')) {
      clause.motion = true;
      takeNegation();
    } else if (sense(item, 'empty')) clause.empty = true;
    else if (sense(item, 'setting')) takeSetting(item);
    else if (sense(item, 'garment')) takeGarment(item);
    else if (sense(item, 'pronoun')) clause.pronoun = true;
    else if (sense(item, 'reciprocal')) takeReciprocal();
    else if (sense(item, 'filler') || sense(item, 'part')) return 0;
    else if (vague) caveat(item, vague.reason);
    else if (beyond) {
      block(item.text, beyond.reason);
      relation = null;
      pending = nothingPending();
    } else if (sense(item, 'unit')?.dimension === 'time' && (preposition === 'for' || compare !== null)) {
      // "for over a minute"
      clause.duration = limit(sense(item, 'unit')!.factor, compare);
      compare = null;
      preposition = null;
    } else if (sense(item, 'unit') || sense(item, 'window'))
      caveat(item, 'nothing here counts in this way; the rest was looked for without it');
    return 0;
  }

  function significant(from: number): Item | undefined {
    for (let i = from; i < items.length; i++) {
      const item = items[i]!;
      const skip =
        item.senses.length > 0 &&
        item.senses.every((s) => s.type === 'filler' || s.type === 'question' || s.type === 'join');
      if (!skip && item.text !== '-') return item;
    }
    return undefined;
  }

  function takeNumber(i: number): number {
    let used = 0;
    const value = sense(items[i], 'number')!.value;
    let upper: number | null = null;
    const mid = items[i + 1];
    const ranged = mid?.text === '-' || sense(mid, 'join') !== null || sense(mid, 'preposition')?.preposition === 'to';
    if (ranged && sense(items[i + 2], 'number')) {
      upper = sense(items[i + 2], 'number')!.value;
      used = 2;
    }
    const unit = sense(items[i + used + 1], 'unit');
    if (unit) used++;
    const trailing = sense(items[i + used + 1], 'compare')?.compare;
    if (trailing === 'or_more' || trailing === 'or_less') {
      compare = trailing;
      used++;
    }
    const how = compare;
    compare = null;
    const inSi = (amount: number) => Math.round(amount * (unit?.factor ?? 1) * 1e6) / 1e6;
    const limits = upper === null ? limit(inSi(value), how) : { min: inSi(value), max: inSi(upper) };
    if (items[i]!.time) {
      caveat(items[i]!, 'say "after", "before" or "between" to choose a part of the video');
      return used;
    }
    if (!unit) {
      countLimits(value, upper, how);
      return used;
    }
    const text = query.slice(items[i]!.start, items[i + used]!.end);
    if (unit.dimension === 'time') {
      if (preposition === 'within' || preposition === 'in') clause.within = limits.min ?? limits.max;
      else clause.duration = how === null && upper === null ? { min: inSi(value), max: null } : limits;
      preposition = null;
    } else if (unit.dimension === 'beyond') block(text, 'distances, angles and levels in this unit are not measured');
    else {
      const braking = clause.cameraMove?.move === 'brakes' || clause.quantity === 'deceleration';
      const lateral = clause.quantity === 'lateral_acceleration';
      const quantity: Quantity =
        unit.dimension === 'speed'
          ? 'speed'
          : unit.dimension === 'angular_rate'
            ? 'yaw_rate'
            : braking
              ? 'deceleration'
              : lateral
                ? 'lateral_acceleration'
                : 'acceleration';
      if (clause.subject && !clause.plainSubject) block(text, 'the speed of things in the picture is not measured');
      else {
        clause.quantity = quantity;
        assumed = null;
        // "at 80 km/h": five percent either way.
        clause.range =
          how === null && upper === null && preposition === 'at'
            ? { min: inSi(value * 0.95), max: inSi(value * 1.05) }
            : how === null && upper === null
              ? { min: inSi(value), max: null }
              : limits;
      }
      preposition = null;
    }
    return used;
  }

  function countLimits(value: number, upper: number | null, how: Compare | null) {
    const n = Math.max(0, Math.min(10_000, Math.round(value)));
    const min = how === 'above' ? n + 1 : how === 'below' || how === 'max' || how === 'or_less' ? 1 : n;
    const max =
      upper !== null
        ? Math.min(10_000, Math.round(upper))
        : how === 'below'
          ? n - 1
          : how === 'max' || how === 'or_less' || how === 'exact'
            ? n
            : null;
    if (n === 0 && how !== 'above') negation = true;
    pending.count = { min: Math.max(1, min), max: max === null ? null : Math.max(1, max) };
  }

  function takeColor(color: SenseOf<'color'>, item: Item, next: Item | undefined): boolean {
    const describes =
      sense(next, 'color') ||
      sense(next, 'thing') ||
      sense(next, 'garment') ||
      sense(next, 'state') ||
      sense(next, 'vague') ||
      (isUnknownItem(next) && !clause.subject) ||
      (sense(next, 'beyond') !== null && !sense(item, 'signal'));
    if (!describes) {
      if (sense(item, 'thing')) return false;
      const target = lastThing ?? clause.subject;
      if (target && (preposition === 'in' || preposition === 'wearing' || target.colors.length === 0)) {
        target.colors.push(...color.names);
        caveat(
          item,
          color.caveat ?? (preposition === null ? undefined : 'the colour is looked for on the whole of it'),
        );
        preposition = null;
        return true;
      }
      if (sense(item, 'signal')) return false;
    }
    pending.colors.push(...color.names);
    pending.start ??= item.start;
    if (color.caveat) caveat(item, color.caveat);
    return true;
  }

  function takeThing(thing: SenseOf<'thing'>, item: Item): number {
    if (thing.negated) negation = true;
    const np: Thing = {
      text: excerpt(query.slice(pending.start ?? item.start, item.end)),
      classes: [...thing.classes],
      colors: thing.fixedColor ? [] : [...new Set(pending.colors)].slice(0, 20),
      count: pending.count ?? { min: thing.min ?? 1, max: null },
      state: pending.state,
      place: pending.place,
    };
    if (thing.fixedColor && pending.colors.length > 0) block(np.text, thing.fixedColor);
    if (thing.caveat) caveat(item, thing.caveat);
    const plain = pending.colors.length === 0 && !pending.count && !pending.state && !pending.place;
    pending = nothingPending();
    lastThing = np;
    if (!clause.subject) {
      clause.subject = np;
      clause.plainSubject = plain && np.classes.length > 0 && np.classes.every((c) => VEHICLES.has(c));
      // "no person": the whole step; "no" before a verb is met there.
      if (negation) clause.negated = true;
      negation = false;
      preposition = null;
    } else second(np);
    return 0;
  }

  /** A second thing: what ties it to the first. */
  function second(np: Thing) {
    const subject = clause.subject!;
    const action = clause.action?.action ?? null;
    const negated = negation;
    negation = false;
    const tie = (kind: Relation) => {
      clause.relation = { kind, other: np, negated };
    };
    const act = (name: 'approaches' | 'passes', kind: Relation = 'near') => {
      clause.action = { type: 'action', action: name };
      tie(kind);
    };
    const how = preposition;
    preposition = null;
    if (clause.unchecked.some((u) => u.blocks)) return;
    if (relation) {
      tie(relation.kind);
      relation = null;
    } else if (negated) tie('with');
    else if (clause.action?.relation) tie(clause.action.relation);
    else if (how === 'towards' || (how === 'to' && clause.action?.weak)) act('approaches');
    else if (how === 'past') act('passes');
    else if (how === 'on') tie('on');
    else if (how === 'in' || how === 'wearing') tie('inside');
    else if (how === 'at') tie('near');
    else if (how === 'into' || how === 'out' || ((action === 'enters' || action === 'leaves') && isVehicle(np)))
      block(np.text, 'getting into or out of something is not seen');
    else if (action === 'approaches' || action === 'passes' || action === 'overtakes') tie('near');
    else if (action === 'left_behind' || action === 'taken_away' || (action === 'leaves' && !isPerson(np))) {
      clause.action = { type: 'action', action: action === 'taken_away' ? action : 'left_behind' };
      clause.subject = np;
    } else if (action === null || clause.action === null) {
      // "truck driver": the last noun is what is meant; the first one cannot be checked.
      block(subject.text, TWO_THINGS);
      clause.subject = np;
    } else block(np.text, TWO_THINGS);
  }

  /** "two cars next to each other": pairs of the same. */
  function takeReciprocal() {
    if (!clause.subject) return;
    clause.subject.count = { min: 1, max: null };
    second({ ...clause.subject, count: { min: 1, max: null } });
  }

  function takeSide(i: number): number {
    const sides: (Side | 'middle')[] = [];
    let half = false;
    let part = false;
    let used = 0;
    for (let k = i; k < items.length; k++) {
      const side = sense(items[k], 'side');
      const piece = sense(items[k], 'part');
      const skip =
        sides.length > 0 &&
        ['the', 'hand', 'of', 'picture', 'frame', 'image', 'screen'].includes(items[k]!.text.toLowerCase());
      if (side && !part) sides.push(side.side);
      else if (piece) {
        part = true;
        half ||= piece.half;
      } else if (!skip) break;
      used = k - i;
    }
    const [first] = sides;
    const only = sides.length === 1 && first !== 'middle' ? (first as Side) : null;
    const how = preposition;
    preposition = null;
    const action = clause.action?.action ?? null;
    const cameraSubject = clause.camera || clause.cameraMove;
    if (
      only &&
      (how === 'from' || (how !== 'to' && how !== 'towards' && (action === 'enters' || action === 'overtakes')))
    )
      clause.from = only;
    else if (only && action === 'leaves') clause.to = only;
    else if (only && (cameraSubject || how === 'to' || how === 'towards' || how === 'into'))
      clause.direction = sideDirection(only);
    else if (
      only &&
      how === null &&
      !part &&
      action &&
      action !== 'present' &&
      action !== 'stands' &&
      action !== 'stops'
    )
      clause.direction = sideDirection(only);
    else {
      const region = regionOf(sides, half);
      if (!region) return used;
      if (!clause.subject || (how === null && sense(significant(i + used + 1), 'thing'))) pending.place = region;
      if (lastThing && pending.place === null) lastThing.place = region;
      clause.place = region;
    }
    return used;
  }

  /** "the car left": a verb when a subject waits for one and no preposition or verb stands before it. */
  function leftAsVerb(item: Item, i: number): boolean {
    if (!sense(item, 'action') || !clause.subject || clause.action || preposition !== null) return false;
    const next = items[i + 1];
    return !sense(next, 'part') && !sense(next, 'thing') && sense(items[i - 1], 'filler')?.light !== true;
  }

  function takeState(state: SenseOf<'state'>, item: Item, next: Item | undefined) {
    if (sense(next, 'thing') || sense(next, 'color') || sense(next, 'vague')) {
      pending.state = state.state;
      pending.start ??= item.start;
      return;
    }
    if (clause.subject || clause.camera) {
      takeAction({ type: 'action', action: state.state === 'moving' ? 'moves' : 'stands', weak: true }, item);
    } else if (state.state === 'moving') clause.motion = true;
    else clause.action = { type: 'action', action: 'stands', weak: true };
  }

  function takeAction(action: ActionSense, item: Item) {
    if (negation && clause.subject && action.action !== 'present' && action.action !== 'appears') {
      clause.idle = true;
      negation = false;
    } else takeNegation();
    if (action.relation && clause.subject) relation = { kind: action.relation, fallback: action };
    if (action.direction) clause.direction ??= action.direction;
    if (action.caveat) caveat(item, action.caveat);
    const old = clause.action;
    if (!old || old.weak || old.action === action.action) {
      // "stands and waits", "is seen walking": the stronger verb, or the later of two weak ones, unless it says less.
      if (!(old && action.weak && action.action === 'present')) clause.action = action;
    } else if (!action.weak) block(item.text, 'two actions at once: join them with "and" or "then"');
    preposition = null;
  }

  function takeSignal(signal: SenseOf<'signal'>, item: Item, next: Item | undefined) {
    if (sense(next, 'thing')) return caveat(item, 'nothing here tells things apart by this word');
    if (clause.subject && clause.subject.classes.length > 0)
      return block(item.text, 'said of a thing, nothing here can check this');
    clause.signal = signal;
    takeNegation();
    caveat(item, signal.caveat);
  }

  function takeCamera() {
    // "in front of the camera", "looks at the camera": the camera is where everything is seen from.
    if (clause.subject || relation || preposition !== null) {
      if (preposition === 'towards' || preposition === 'to') clause.direction ??= 'towards';
      else if (preposition === 'from' && clause.direction === null) clause.direction = 'away';
      relation = null;
      preposition = null;
    } else clause.camera = true;
  }

  function takeCameraMove(move: SenseOf<'camera_move'>, item: Item) {
    takeNegation();
    if (clause.subject && !clause.camera) {
      if (!clause.plainSubject)
        return block(
          item.text,
          'of things in the picture only place and motion are seen; for the vehicle that carries the camera say "camera"',
        );
      caveat(item, `"${clause.subject.text}" was read as the vehicle that carries the camera`);
      clause.subject = null;
      clause.camera = true;
    }
    clause.cameraMove = move;
    caveat(item, move.caveat);
    preposition = null;
  }

  function takeSetting(item: Item) {
    if (preposition === 'into' && (clause.action === null || clause.action.weak))
      clause.action = { type: 'action', action: 'enters' };
    if (preposition === 'out' && (clause.action === null || clause.action.weak))
      clause.action = { type: 'action', action: 'leaves' };
    caveat(item, 'nothing here recognises places such as this one');
    // The place was what the colour or relation was about.
    if (relation || pending.colors.length > 0) pending = nothingPending();
    relation = null;
    preposition = null;
  }

  function takeGarment(item: Item) {
    const wearer = clause.subject;
    if (pending.colors.length > 0 && wearer) {
      wearer.colors.push(...pending.colors);
      caveat(item, 'the colour is looked for on the whole person, not on one garment');
    } else block(item.text, 'nothing here sees what people wear, except its colour');
    pending = nothingPending();
    relation = null;
    preposition = null;
  }

  function takeNegation() {
    if (negation) clause.negated = true;
    negation = false;
  }

  function unknown(item: Item) {
    const last = clause.unchecked.at(-1);
    if (last && unknownEnd >= 0 && item.start - unknownEnd <= 1 && last.reason === UNKNOWN) {
      last.text = excerpt(query.slice(unknownStart, item.end));
    } else {
      unknownStart = item.start;
      block(query.slice(item.start, item.end), UNKNOWN);
    }
    unknownEnd = item.end;
    relation = null;
    preposition = null;
    pending = nothingPending();
  }

  function block(text: string, reason: string) {
    clause.unchecked.push({ text: excerpt(text), reason, blocks: true });
  }

  function caveat(item: Item, reason: string | undefined) {
    if (reason !== undefined && !clause.unchecked.some((u) => u.text === excerpt(item.text)))
      clause.unchecked.push({ text: excerpt(item.text), reason, blocks: false });
  }

  function finish(): Clause {
    takeNegation();
    if (assumed) caveat(assumed.item, assumed.reason);
    // "walks in", "drives into the picture", "goes out": nothing came after.
    const weak = clause.action?.weak && clause.action.action === 'moves';
    if (weak && (preposition === 'in' || preposition === 'into')) clause.action = { type: 'action', action: 'enters' };
    if (weak && preposition === 'out') clause.action = { type: 'action', action: 'leaves' };
    if (relation?.fallback && !clause.relation) takeAction({ ...relation.fallback, relation: undefined }, items[0]!);
    // Colours, counts or places without a noun: any thing.
    if (!clause.subject && !hasOther(clause) && (pending.colors.length > 0 || pending.count)) {
      clause.subject = {
        text: excerpt(clause.text),
        classes: [],
        colors: [...new Set(pending.colors)].slice(0, 20),
        count: pending.count ?? { min: 1, max: null },
        state: pending.state,
        place: pending.place,
      };
    }
    return clause;
  }
}

/** Plans quote the prompt, they do not repeat it. */
const excerpt = (text: string) => text.slice(0, 200);
const isUnknownItem = (item: Item | undefined) => item !== undefined && isUnknown(item);
const isPerson = (thing: Thing) => thing.classes.includes('person');
const isVehicle = (thing: Thing) =>
  thing.classes.some((c) => VEHICLES.has(c) || c === 'train' || c === 'boat' || c === 'airplane');
const hasOther = (clause: Clause) =>
  clause.signal ||
  clause.sound ||
  clause.cameraMove ||
  clause.quantity ||
  clause.motion ||
  clause.camera ||
  clause.empty;

export const sideDirection = (side: Side): Direction => (side === 'top' ? 'up' : side === 'bottom' ? 'down' : side);

type Pending = {
  count: Thing['count'] | null;
  colors: string[];
  state: Thing['state'];
  place: Region | null;
  start: number | null;
};
const nothingPending = (): Pending => ({ count: null, colors: [], state: null, place: null, start: null });

function limit(value: number, how: Compare | null): Range {
  if (how === 'max' || how === 'below' || how === 'or_less') return { min: null, max: value };
  if (how === 'exact') return { min: value, max: value };
  return { min: value, max: null };
}

function textOf(items: readonly Item[], query: string): string {
  const first =
    items.find((item) => item.senses.some((s) => s.type !== 'filler' && s.type !== 'question') || isUnknown(item)) ??
    items[0];
  const last = items.at(-1);
  return first && last ? query.slice(first.start, last.end).trim() : '';
}

function emptyClause(text: string): Clause {
  return {
    text,
    subject: null,
    plainSubject: false,
    pronoun: false,
    action: null,
    direction: null,
    from: null,
    to: null,
    relation: null,
    camera: false,
    cameraMove: null,
    signal: null,
    sound: null,
    motion: false,
    empty: false,
    quantity: null,
    range: null,
    place: null,
    negated: false,
    idle: false,
    duration: null,
    within: null,
    both: false,
    unchecked: [],
  };
}
