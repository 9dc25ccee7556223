import type { ReactNode, Ref } from 'react';
import { classes } from '#ui/classes.ts';

/**
 * The page of a video or a livestream: the frame with its controls, the timeline below them, and a panel beside both,
 * or below on narrow screens. `stage`: what full screen shows.
 */
export function PlayerLayout({
  stage,
  head,
  frame,
  controls,
  timeline,
  panel,
  hasRows,
  isBlank = false,
}: {
  stage: Ref<HTMLDivElement>;
  /** Above the frame. */
  head?: ReactNode;
  frame: ReactNode;
  controls: ReactNode;
  timeline: ReactNode;
  panel: ReactNode;
  /** True once the timeline has rows: it is then as high as with all of them, so that the player does not jump. */
  hasRows: boolean;
  /** True if there is nothing to see in the frames: the timeline takes their place. */
  isBlank?: boolean;
}) {
  return (
    <div className="lg:grid lg:h-full lg:grid-cols-[minmax(0,1fr)_clamp(340px,20vw,640px)]">
      <div className="flex min-w-0 flex-col lg:min-h-0">
        <div
          ref={stage}
          className={classes('flex min-h-0 flex-col bg-bg px-3 pt-3 sm:px-4.5', !isBlank && 'lg:flex-1')}
        >
          {head}
          <div
            className={classes(
              '@container w-full overflow-hidden in-fullscreen:max-h-none in-fullscreen:flex-1',
              isBlank ? 'h-0' : 'aspect-video max-h-[52dvh] min-h-0 rounded-lg lg:aspect-auto lg:max-h-none lg:flex-1',
            )}
          >
            {frame}
          </div>
          {controls}
        </div>
        <div
          className={classes(
            'flex min-h-40 flex-col',
            isBlank ? 'lg:flex-1' : 'max-h-[30dvh] sm:max-h-[46dvh] lg:max-h-[min(44%,40rem)]',
            hasRows && !isBlank && 'lg:h-[min(44%,40rem)]',
          )}
        >
          {timeline}
        </div>
      </div>
      <div className="min-h-0 border-t bg-panel lg:flex lg:flex-col lg:border-t-0 lg:border-l">{panel}</div>
    </div>
  );
}
