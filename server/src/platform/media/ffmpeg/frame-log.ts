/** Properties of a frame, as logged on stderr by the filters `showinfo` and `ashowinfo`. */
export type FrameInfo = { pts: number; keyframe: boolean; samples: number };

/** Matches the properties of frames on stderr with their pixels from a pipe, which are in the same order. */
export type FrameLog = {
  line(text: string): void;
  /** Properties of the filter's next frame; null if the program has ended. */
  next(name: string): Promise<FrameInfo | null>;
  end(): void;
};

const LINE = /^\[a?showinfo@(\w+) @ \w+\] \[info\] n: *\d+ pts: *(-?\d+|NOPTS) /;

export function createFrameLog(onFacts: (name: string, facts: FrameInfo) => void = () => {}): FrameLog {
  const logged = new Map<string, FrameInfo[]>();
  const waiting = new Map<string, (facts: FrameInfo | null) => void>();
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
      else {
        const earlier = logged.get(name) ?? [];
        earlier.push(facts);
        logged.set(name, earlier);
      }
    },
    next(name) {
      const facts = logged.get(name)?.shift();
      if (facts || ended) return Promise.resolve(facts ?? null);
      return new Promise((resolve) => waiting.set(name, resolve));
    },
    end() {
      ended = true;
      for (const waiter of waiting.values()) waiter(null);
    },
  };
}

/** Splits a pipe into chunks of exactly `bytes`. The buffer is reused: a chunk is valid until the next one. */
export async function* fixedChunks(pipe: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Uint8Array> {
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
