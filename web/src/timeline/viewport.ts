import { type Bounds, boundsOf, fitView, panBy, reveal, spanAt, type View, zoomAround } from './scale.ts';

/**
 * The shown range of a timeline, outside React: gestures change it many times a second. Listeners are called at most
 * once per frame of the display.
 */
export class Viewport {
  #view: View = { start: 0, end: 1, width: 0 };
  #bounds: Bounds = { duration: 1, shortest: 1 };
  #frame = 0;
  readonly #listeners = new Set<() => void>();

  view = (): View => this.#view;
  bounds = (): Bounds => this.#bounds;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Draws again in the next frame. */
  invalidate = (): void => {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      for (const listener of this.#listeners) listener();
    });
  };

  /** Sets the length of the video; shows all of it if everything was shown before. */
  setVideo(duration: number, frameRate: number): void {
    const { start, end, width } = this.#view;
    const isWhole = start === 0 && end === this.#bounds.duration;
    this.#bounds = boundsOf(duration, frameRate);
    this.#show(isWhole ? this.#fit(0, this.#bounds.duration, width) : this.#fit(start, end - start, width));
  }

  setWidth(width: number): void {
    this.#show(this.#fit(this.#view.start, this.#view.end - this.#view.start, width));
  }

  show(start: number, span: number): void {
    this.#show(this.#fit(start, span, this.#view.width));
  }

  zoom(factor: number, x = this.#view.width / 2): void {
    this.#show(zoomAround(this.#view, factor, x, this.#bounds));
  }

  /** Zooms to a position of the slider, around a time if it is shown, otherwise around the middle. */
  zoomTo(level: number, time: number): void {
    const { start, end } = this.#view;
    const anchor = time >= start && time <= end ? time : (start + end) / 2;
    const span = spanAt(level, this.#bounds);
    this.show(anchor - ((anchor - start) / (end - start)) * span, span);
  }

  pan(pixels: number): void {
    this.#show(panBy(this.#view, pixels, this.#bounds));
  }

  reveal(time: number): void {
    this.#show(reveal(this.#view, time, this.#bounds));
  }

  #fit(start: number, span: number, width: number): View {
    return fitView(width, start, span, this.#bounds);
  }

  #show(view: View): void {
    const old = this.#view;
    if (view.start === old.start && view.end === old.end && view.width === old.width) return;
    this.#view = view;
    this.invalidate();
  }
}
