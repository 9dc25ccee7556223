/** Saved by an observer during a pass: the results of each range, in order, and its state after the last one. */
export type SavedPass<Added = unknown, State = unknown> = { added: Added[]; state: State };

/** Saved by an observer after a range: its results since the last one, and the state that later frames depend on. */
export type SavedRange<Added = unknown, State = unknown> = { added: Added; state: State };

/** Thrown if a resumed pass gives other frames than the earlier one. */
export class PassDiffers extends Error {
  constructor() {
    super('the resumed pass gives other frames than the earlier one');
  }
}
