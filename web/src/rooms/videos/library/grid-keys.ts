import type { Virtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { LibraryVideo } from './library-query.ts';
import type { VideoSelection } from './selection/selection.ts';

type GridKeysOptions = {
  videos: readonly LibraryVideo[];
  columns: number;
  selection: VideoSelection;
  scroller: RefObject<HTMLDivElement | null>;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  extendTo: (index: number) => void;
  onOpen: (video: LibraryVideo) => void;
  onDelete: () => void;
};

/**
 * Keys of the grid: arrows, Home, End and Page keys move, with Shift they select; X and Space select, Ctrl+A selects
 * all that are loaded, Escape none; Enter opens, Delete deletes.
 */
export function useGridKeys(options: GridKeysOptions) {
  const { videos, columns, selection, scroller, virtualizer, extendTo, onOpen, onDelete } = options;
  const [wanted, setActive] = useState(0);
  const active = Math.min(wanted, Math.max(0, videos.length - 1));
  const focusNext = useRef(false);

  // The row of the new cell may not be in the document before the list has scrolled to it.
  useEffect(() => {
    if (!focusNext.current) return;
    const cell = scroller.current?.querySelector<HTMLElement>(`[role="gridcell"][data-index="${active}"]`);
    if (!cell) return;
    focusNext.current = false;
    cell.focus({ preventScroll: true });
  });

  function moveTo(index: number, select: boolean): void {
    const next = Math.max(0, Math.min(videos.length - 1, index));
    if (select && selection.current().size === 0) selection.toggle(videos[active]!.video_id, active);
    focusNext.current = true;
    setActive(next);
    virtualizer.scrollToIndex(Math.floor(next / columns));
    if (select) extendTo(next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const video = videos[active];
    if (!video || event.altKey) return;
    const command = event.ctrlKey || event.metaKey;
    const pageRows = Math.max(1, virtualizer.getVirtualItems().length - 6);
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      PageUp: -columns * pageRows,
      PageDown: columns * pageRows,
      Home: -active,
      End: videos.length - 1 - active,
    };
    const step = steps[event.key];
    const key = event.key.toLowerCase();
    if (step !== undefined && !command) {
      // A step past the last row keeps its column, so that it does not jump to the last video.
      if (Math.abs(step) === 1 || (active + step >= 0 && active + step < videos.length) || !/^Arrow/.test(event.key)) {
        moveTo(active + step, event.shiftKey);
      }
    } else if (command && key === 'a') selection.set(videos.map(({ video_id }) => video_id));
    else if (command) return;
    else if (key === 'x' || key === ' ') selection.toggle(video.video_id, active);
    else if (key === 'escape') selection.clear();
    else if (key === 'enter') onOpen(video);
    else if (key === 'delete') {
      if (selection.current().size === 0) selection.toggle(video.video_id, active);
      onDelete();
    } else return;
    event.preventDefault();
  }

  function onFocus(event: FocusEvent): void {
    const index = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset.index;
    if (index !== undefined) setActive(Number(index));
  }

  return { active, onKeyDown, onFocus };
}
