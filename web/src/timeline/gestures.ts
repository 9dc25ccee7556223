import { toTime } from './scale.ts';
import type { Viewport } from './viewport.ts';

export type GestureHandlers = {
  viewport: Viewport;
  /** Shows the frame of a time while the pointer moves over the ruler. */
  scrub: (time: number) => void;
  /** A press without movement, in CSS pixels from the top left of the element. */
  click: (x: number, y: number) => void;
  /** The pointer is at a position, or left (null). */
  hover: (point: { x: number; y: number } | null) => void;
  /** True at heights where dragging scrubs instead of moving the shown range. */
  isRuler: (y: number) => boolean;
};

const CLICK_PX = 4;
const WHEEL_ZOOM = 0.0022;

/** Wheel, pinch and drag on an element. The returned function removes them. */
export function attachGestures(element: HTMLElement, handlers: GestureHandlers): () => void {
  const { viewport } = handlers;
  const ended = new AbortController();
  const { signal } = ended;
  const pointers = new Map<number, { x: number; y: number }>();
  let press: { x: number; y: number; moved: boolean; ruler: boolean } | null = null;

  const pointOf = (event: PointerEvent | WheelEvent) => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return a && b ? { distance: Math.abs(a.x - b.x), middle: (a.x + b.x) / 2 } : null;
  };

  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    // Pinching on a touchpad arrives as a wheel with Ctrl, in smaller steps.
    if (event.ctrlKey) viewport.zoom(Math.exp(-event.deltaY * unit * WHEEL_ZOOM * 5), pointOf(event).x);
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) viewport.pan(sideways * unit);
    else viewport.zoom(Math.exp(-event.deltaY * unit * WHEEL_ZOOM), pointOf(event).x);
  };

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const point = pointOf(event);
    pointers.set(event.pointerId, point);
    element.setPointerCapture(event.pointerId);
    if (pointers.size > 1) {
      press = null;
      return;
    }
    press = { ...point, moved: false, ruler: handlers.isRuler(point.y) };
    if (press.ruler) handlers.scrub(toTime(viewport.view(), point.x));
  };

  const onMove = (event: PointerEvent) => {
    const point = pointOf(event);
    const old = pointers.get(event.pointerId);
    if (!old) return handlers.hover(point);
    const before = spread();
    pointers.set(event.pointerId, point);
    const after = spread();
    if (before && after) {
      if (before.distance > 0) viewport.zoom(after.distance / before.distance, after.middle);
      viewport.pan(before.middle - after.middle);
    } else if (press) {
      press.moved ||= Math.hypot(point.x - press.x, point.y - press.y) > CLICK_PX;
      if (press.ruler) handlers.scrub(toTime(viewport.view(), point.x));
      else if (press.moved) viewport.pan(old.x - point.x);
    }
    handlers.hover(press?.moved && !press.ruler ? null : point);
  };

  const onUp = (event: PointerEvent) => {
    pointers.delete(event.pointerId);
    if (press && !press.moved && !press.ruler && event.type === 'pointerup') handlers.click(press.x, press.y);
    if (pointers.size === 0) press = null;
  };

  element.addEventListener('wheel', onWheel, { signal, passive: false });
  element.addEventListener('pointerdown', onDown, { signal });
  element.addEventListener('pointermove', onMove, { signal });
  element.addEventListener('pointerup', onUp, { signal });
  element.addEventListener('pointercancel', onUp, { signal });
  element.addEventListener('pointerleave', () => pointers.size === 0 && handlers.hover(null), { signal });
  return () => ended.abort();
}
