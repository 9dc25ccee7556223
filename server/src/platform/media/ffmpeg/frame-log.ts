/** One frame, as the `showinfo` filter or its sister for sound tells of it on stderr. */
export type FrameFacts = { pts: number; keyframe: boolean; samples: number };

/** Puts a frame's facts, told on stderr, together with its pixels, which come through a pipe: both in the same order. */
export type FrameLog = {
  line(text: string): void;
  /** The next frame's facts under a filter's name; null when the program ended before there were any. */
  next(name: string): Promise<FrameFacts | null>;
  end(): void;
};

const LINE = /^\[a?showinfo@(\w+) @ \w+\] \[info\] n: *\d+ pts: *(-?\d+|NOPTS) /;

export function createFrameLog(onFacts: (name: string, facts: FrameFacts) => void = () => {}): FrameLog {
  const told = new Map<string, FrameFacts[]>();
  const waiting = new Map<string, (facts: FrameFacts | null) => void>();
  let ended = false;
  return {
    line(text) {
      const match = LINE.exec(text);
      if (!match) return;
      const [, name, pts] = match as unknown as [string, string, string];
      const facts = {
        pts: pts === 'NOPTS' ? Number.NaN : Number(pts),
        keyframe: text.includes(' iskey:1 '),
        samples: Number(/ nb_samples:(\d+)/.exec(text)?.[1] ?? 0),
      };
      onFacts(name, facts);
      const waiter = waiting.get(name);
      waiting.delete(name);
      if (waiter) waiter(facts);
      else told.set(name, [...(told.get(name) ?? []), facts]);
    },
    next(name) {
      const facts = told.get(name)?.shift();
      if (facts || ended) return Promise.resolve(facts ?? null);
      return new Promise((resolve) => waiting.set(name, resolve));
    },
    end() {
      ended = true;
      for (const waiter of waiting.values()) waiter(null);
    },
  };
}

/** Cuts a pipe into pieces of exactly `bytes`. The piece is reused: it is valid until the next one is asked for. */
export async function* pieces(pipe: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(bytes);
  let filled = 0;
  for await (const chunk of pipe) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + bytes - filled);
      piece.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < bytes) continue;
      yield piece;
      filled = 0;
    }
  }
}
