/** State of sending frames as clips (`video_url`) to an endpoint, as this process knows it. */
export type ClipHealth = {
  /** `off`: not configured; `untried` until the first clip; `refused`: images are sent instead. */
  state: 'off' | 'untried' | 'accepted' | 'refused';
  /** Reason why images are sent; null without one. */
  reason: string | null;
};

/** Use of clips with one endpoint. They are tried once, and not sent any more after a refusal. */
export interface ClipUse {
  health(): ClipHealth;
  /** True if a clip may be sent. */
  isPossible(): boolean;
  /**
   * True if clips can be used. The first call tries them: `attempt` returns whether the model answered truly about one,
   * or a reason why it is not known, after which images are sent for some minutes.
   */
  isAccepted(attempt: () => Promise<boolean | string>): Promise<boolean>;
  refuse(reason: string): void;
  /** Tokens of a frame in a clip, as a share of those of an image: 1 until the endpoint has counted some. */
  tokenShare(): number;
  /** Adds what the endpoint counted for frames in a clip that would take `asImages` tokens as images. */
  count(tokens: number, asImages: number): void;
}

const RETRY_MS = 10 * 60_000;
const SHARES = { min: 0.2, max: 2 };

export function createClipUse(isConfigured: boolean, now: () => number = Date.now): ClipUse {
  let health: ClipHealth = { state: isConfigured ? 'untried' : 'off', reason: null };
  let attempting: Promise<boolean | string> | null = null;
  let nextAttempt = 0;
  let share = 1;
  const isPossible = () => health.state === 'untried' || health.state === 'accepted';
  const refuse = (reason: string) => {
    health = { state: 'refused', reason };
  };
  return {
    isPossible,
    refuse,
    health: () => health,
    async isAccepted(attempt) {
      if (health.state !== 'untried') return health.state === 'accepted';
      if (now() < nextAttempt) return false;
      attempting ??= attempt().finally(() => {
        attempting = null;
      });
      // The attempt belongs to another analysis if that one was stopped.
      const result = await attempting.catch(() => null);
      if (health.state !== 'untried') return isPossible();
      if (result === null) return false;
      if (typeof result === 'string') {
        nextAttempt = now() + RETRY_MS;
        health = { state: 'untried', reason: result };
      } else if (result) health = { state: 'accepted', reason: null };
      else refuse('it names the wrong frames of a clip');
      return isPossible() && result === true;
    },
    tokenShare: () => share,
    count(tokens, asImages) {
      if (asImages > 0) share = Math.min(SHARES.max, Math.max(SHARES.min, tokens / asImages));
    },
  };
}
