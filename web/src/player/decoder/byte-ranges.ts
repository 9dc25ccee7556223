/** Bytes that a request fetches at least: so many follow at once where the reader does not say how many it needs. */
const LEAST_BYTES = 2 ** 18;
/** Bytes that a request fetches at most, unless one read needs more. */
const MOST_BYTES = 2 ** 24;

/** A range of the file, while it arrives and afterwards. */
type Block = {
  start: number;
  end: number;
  bytes: Uint8Array;
  received: number;
  /** Settled and replaced whenever bytes have arrived, or the request has failed. */
  arrival: PromiseWithResolvers<void>;
  readers: number;
  request: AbortController;
};

/**
 * Reads parts of a file by HTTP. The reads of one seek share one request for exactly the bytes that they need: a
 * request without an end must be canceled, which costs a connection, and one for each read costs a round trip.
 */
export class ByteRanges {
  readonly #url: string;
  readonly #cacheBytes: number;
  /** The least recently used first. */
  #blocks: Block[] = [];
  #expected = LEAST_BYTES;
  #size: Promise<number> | null = null;

  /** `cacheBytes`: size of the ranges that are stored for later reads. */
  constructor(url: string, cacheBytes: number) {
    this.#url = url;
    this.#cacheBytes = cacheBytes;
  }

  /** The size of the file. Rejects if the server does not send parts of files. */
  size(): Promise<number> {
    this.#size ??= this.#open();
    return this.#size;
  }

  /** States that the next read is followed by others, up to this many bytes after its start. */
  expect(bytes: number): void {
    this.#expected = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, bytes));
  }

  /** Bytes from `start` to before `end`, within the file. Rejects if they cannot be fetched. */
  async read(start: number, end: number): Promise<Uint8Array> {
    const size = await this.size();
    const known = this.#blocks.find((each) => each.start <= start && end <= each.end);
    const block = known ?? this.#fetch(start, Math.min(size, Math.max(end, start + this.#expected)));
    this.#blocks = [...this.#blocks.filter((each) => each !== block), block];
    block.readers++;
    try {
      while (block.start + block.received < end) await block.arrival.promise;
    } finally {
      block.readers--;
    }
    return block.bytes.subarray(start - block.start, end - block.start);
  }

  close(): void {
    this.#drop(() => true);
  }

  /** Fetches the first bytes, in which most files have their index, and with them the size. */
  async #open(): Promise<number> {
    const { response, size } = await this.#request(0, LEAST_BYTES);
    const bytes = new Uint8Array(await response.arrayBuffer());
    this.#blocks.push({ ...createBlock(0, bytes), received: bytes.length });
    return size;
  }

  #fetch(start: number, end: number): Block {
    // Ranges of an earlier seek without a reader would delay this one.
    this.#drop(({ start, end, received, readers }) => readers === 0 && start + received < end);
    const block = createBlock(start, new Uint8Array(end - start));
    this.#fill(block).catch((error: unknown) => {
      this.#drop((each) => each === block);
      block.arrival.reject(error);
    });
    let stored = end - start;
    const tooMuch = this.#blocks.toReversed().filter((each) => {
      stored += each.bytes.length;
      return stored > this.#cacheBytes;
    });
    this.#drop((each) => each.readers === 0 && tooMuch.includes(each));
    return block;
  }

  #drop(isDropped: (block: Block) => boolean): void {
    for (const block of this.#blocks) if (isDropped(block)) block.request.abort();
    this.#blocks = this.#blocks.filter((block) => !isDropped(block));
  }

  async #fill(block: Block): Promise<void> {
    const { response } = await this.#request(block.start, block.end, block.request.signal);
    const reader = response.body!.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      block.bytes.set(part.value, block.received);
      block.received += part.value.length;
      const { resolve } = block.arrival;
      block.arrival = createArrival();
      resolve();
    }
    if (block.start + block.received < block.end) throw new Error('The response has ended early.');
  }

  async #request(start: number, end: number, signal?: AbortSignal): Promise<{ response: Response; size: number }> {
    const headers = { range: `bytes=${start}-${end - 1}` };
    const response = await fetch(this.#url, { headers, signal: signal ?? null });
    const size = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]);
    if (response.status !== 206 || !Number.isInteger(size)) throw new Error(`Status ${response.status}.`);
    return { response, size };
  }
}

function createArrival(): PromiseWithResolvers<void> {
  const arrival = Promise.withResolvers<void>();
  // Nobody may wait when a request fails.
  arrival.promise.catch(() => {});
  return arrival;
}

const createBlock = (start: number, bytes: Uint8Array): Block => ({
  start,
  end: start + bytes.length,
  bytes,
  received: 0,
  readers: 0,
  arrival: createArrival(),
  request: new AbortController(),
});
