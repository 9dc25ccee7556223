import { useLingui } from '@lingui/react/macro';
import { type PointerEvent, useEffect, useState } from 'react';
import { addPoint, type FramePoint, type FrameSize, isFull, movePoint, type ZoneDraft } from './draft.ts';
import { DraftHandles } from './draft-handles.tsx';
import type { ZonesState } from './use-zones.ts';
import { ZoneShape } from './zone-shape.tsx';

/**
 * Draws the zones over the frame, which is `width` by `height` pixels. While a zone is drawn, a press adds a point,
 * and points are dragged or moved by arrow keys.
 */
export function ZoneOverlay({
  width,
  height,
  zones: { zones, draft, setDraft, isShown },
}: {
  width: number;
  height: number;
  zones: ZonesState;
}) {
  const { t } = useLingui();
  const [svg, setSvg] = useState<SVGSVGElement | null>(null);
  const pixel = usePixel(svg, width, height);
  const [dragged, setDragged] = useState<number | null>(null);
  const isDrawing = draft !== null;
  const others = zones.filter(({ zone_id }) => zone_id !== draft?.zoneId);
  const pointAt = ({ clientX, clientY }: PointerEvent): FramePoint => {
    const matrix = svg!.getScreenCTM()!.inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    return { x: x / width, y: y / height };
  };
  const press = (event: PointerEvent) => {
    if (!draft || event.button !== 0) return;
    const grabbed = (event.target as Element).closest('[data-point]')?.getAttribute('data-point');
    if (grabbed == null && isFull(draft)) return;
    svg!.setPointerCapture(event.pointerId);
    setDragged(grabbed == null ? draft.points.length : Number(grabbed));
    if (grabbed == null) setDraft(addPoint(draft, pointAt(event)));
  };
  const drag = (event: PointerEvent) => {
    if (draft && dragged !== null) setDraft(movePoint(draft, dragged, pointAt(event)));
  };
  if (!isDrawing && (!isShown || zones.length === 0)) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset.
    <svg
      ref={setSvg}
      role="group"
      aria-label={isDrawing ? t`Points of the zone` : t`Zones`}
      viewBox={`0 0 ${width} ${height}`}
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={() => setDragged(null)}
      onPointerCancel={() => setDragged(null)}
      className={`absolute inset-0 size-full ${isDrawing ? 'cursor-crosshair touch-none' : 'pointer-events-none'}`}
    >
      {others.map((zone, index) => (
        <ZoneShape key={zone.zone_id} zone={zone} color={(index % 6) + 1} size={{ width, height, pixel }} />
      ))}
      {draft && <Drawn draft={draft} onDraft={setDraft} size={{ width, height, pixel }} />}
    </svg>
  );
}

function Drawn({ draft, onDraft, size }: { draft: ZoneDraft; onDraft: (draft: ZoneDraft) => void; size: FrameSize }) {
  return (
    <>
      <ZoneShape zone={draft} color={null} size={size} />
      <DraftHandles draft={draft} onDraft={onDraft} size={size} />
    </>
  );
}

/** Pixels of the frame in one of the screen, so that texts and handles have the same size on each. */
function usePixel(svg: SVGSVGElement | null, width: number, height: number): number {
  const [pixel, setPixel] = useState(1);
  useEffect(() => {
    if (!svg) return;
    const measure = () => setPixel(Math.max(width / svg.clientWidth, height / svg.clientHeight) || 1);
    const resize = new ResizeObserver(measure);
    resize.observe(svg);
    measure();
    return () => resize.disconnect();
  }, [svg, width, height]);
  return pixel;
}
