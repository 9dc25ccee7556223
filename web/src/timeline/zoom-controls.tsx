import { useLingui } from '@lingui/react/macro';
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '#ui/controls/button.tsx';
import type { Clock } from './drawing/canvas.ts';
import type { TimeScale } from './drawing/ticks.ts';
import { KEY_ZOOM, zoomLevel } from './scale.ts';
import type { Viewport } from './viewport.ts';

/** Buttons and a slider that zoom the timeline. */
export function ZoomControls({
  viewport,
  clock,
  duration,
  format,
  children,
}: {
  viewport: Viewport;
  clock: Clock;
  duration: number;
  format: TimeScale['format'];
  children?: ReactNode;
}) {
  const { t } = useLingui();
  const slider = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const show = () => {
      const input = slider.current;
      if (!input) return;
      input.value = String(zoomLevel(viewport.view(), viewport.bounds()));
      const { start, end } = viewport.view();
      input.setAttribute('aria-valuetext', `${format(start)} – ${format(end)}`);
    };
    return viewport.subscribe(show);
  }, [viewport, format]);
  return (
    <div className="flex items-center gap-0.5 border-r px-1 sm:px-2.5">
      <IconButton
        icon={Maximize2}
        label={t`Show all`}
        keys="0"
        onClick={() => viewport.show(0, duration)}
        className="h-6 w-6"
      />
      <IconButton
        icon={ZoomOut}
        label={t`Zoom out`}
        keys="-"
        onClick={() => viewport.zoom(1 / KEY_ZOOM)}
        className="h-6 w-6 sm:hidden"
      />
      <IconButton
        icon={ZoomIn}
        label={t`Zoom in`}
        keys="+"
        onClick={() => viewport.zoom(KEY_ZOOM)}
        className="h-6 w-6 sm:hidden"
      />
      <input
        ref={slider}
        type="range"
        aria-label={t`Zoom of the timeline`}
        min={0}
        max={1}
        step={0.01}
        defaultValue={0}
        onInput={(event) => viewport.zoomTo(Number(event.currentTarget.value), clock.time())}
        className="h-6 min-w-0 flex-1 accent-accent max-sm:hidden"
      />
      {children}
    </div>
  );
}
