import type { Socket } from 'node:net';
import { type AvPacket, toMessage } from './protocol.ts';

/** Bytes that wait for the player of one stream, and of all streams; then the publisher waits. */
const WAITING_BYTES = 16 * 2 ** 20;
const ALL_WAITING_BYTES = 256 * 2 ** 20;
/** A stream may have this much waiting whatever the others have. */
const OWN_BYTES = 2 ** 20;
/** Memory of a waiting message beside its bytes. */
const OVERHEAD_BYTES = 256;
/** Time in which a player takes what was sent before the end. */
const CLOSE_MS = 10_000;
/** Headers that a later player needs before frames: sound, video, metadata. */
const HEADER_FLAGS: readonly number[] = [0, 2, 5];

let allWaiting = 0;

/**
 * One publication: messages on their way from its publisher to the one player, which is a recording. Nothing is
 * dropped: what the player does not take waits here, and then the publisher waits.
 */
export class PublishedStream {
  readonly #waiting: Buffer[] = [];
  #next = 0;
  #bytes = 0;
  readonly #headers = new Map<number, Buffer>();
  #player: Socket | null = null;
  #hadPlayer = false;
  #hasEnded = false;
  readonly #resume: () => void;
  readonly #drained: () => void;

  /** `resume`: the publisher may send again. `drained`: it has ended, and the player has got everything. */
  constructor({ resume, drained }: { resume: () => void; drained: () => void }) {
    this.#resume = resume;
    this.#drained = drained;
  }

  /** True if the publisher has to wait. */
  get isFull(): boolean {
    return this.#bytes > WAITING_BYTES || (allWaiting > ALL_WAITING_BYTES && this.#bytes > OWN_BYTES);
  }

  push(packet: AvPacket): void {
    const message = toMessage(packet);
    if (HEADER_FLAGS.includes(packet.flags)) this.#headers.set(packet.flags, message);
    this.#waiting.push(message);
    this.#count(message.length + OVERHEAD_BYTES);
    this.#pump();
  }

  /** A later player replaces the present one, of which the service has lost sight. */
  play(player: Socket): void {
    this.#player?.destroy();
    this.#player = player;
    player.once('close', () => {
      if (this.#player === player) this.#player = null;
    });
    player.on('drain', () => this.#pump());
    if (this.#hadPlayer) for (const header of this.#headers.values()) player.write(header);
    this.#hadPlayer = true;
    this.#pump();
  }

  /** The publisher has disconnected; the player gets what waits, and then the end. */
  end(): void {
    this.#hasEnded = true;
    this.#pump();
  }

  /** Drops everything, and disconnects the player. */
  discard(): void {
    this.#count(-this.#bytes);
    this.#waiting.length = this.#next = 0;
    this.#player?.destroy();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    allWaiting += bytes;
  }

  #pump(): void {
    const player = this.#player;
    if (!player || player.destroyed) return;
    while (this.#next < this.#waiting.length && !player.writableNeedDrain) {
      const message = this.#waiting[this.#next]!;
      this.#next++;
      this.#count(-message.length - OVERHEAD_BYTES);
      player.write(message);
    }
    if (this.#next === this.#waiting.length || this.#next > 1_000) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
    if (!this.isFull) this.#resume();
    if (this.#hasEnded && this.#waiting.length === 0) {
      this.#player = null;
      player.setTimeout(CLOSE_MS, () => player.destroy());
      player.end();
      this.#drained();
    }
  }
}
