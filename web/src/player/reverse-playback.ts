/** Plays backwards by seeks, as fast as their frames are decoded: browsers play forwards only. */
export class ReversePlayback {
  #frame = 0;

  get isActive(): boolean {
    return this.#frame !== 0;
  }

  /**
   * Seeks from a time to earlier ones, in seconds, at a relative speed, until `stop` or the start of the video.
   * `seek` is called with each animation frame, and `onStart` when the first frame is reached.
   */
  start(from: number, speed: number, seek: (time: number) => void, onStart: () => void): void {
    this.stop();
    const began = performance.now();
    const tick = (now: number) => {
      const time = Math.max(0, from - ((now - began) / 1000) * speed);
      seek(time);
      if (time > 0) this.#frame = requestAnimationFrame(tick);
      else onStart();
    };
    this.#frame = requestAnimationFrame(tick);
  }

  /** Returns false if it did not play. */
  stop(): boolean {
    if (!this.isActive) return false;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    return true;
  }
}
