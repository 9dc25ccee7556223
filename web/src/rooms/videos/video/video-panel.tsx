import { useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { AskPanel } from '#rooms/analyses/ask-panel.tsx';
import { CoveragePanel } from '#rooms/analyses/coverage-panel.tsx';
import { EventsPanel } from '#rooms/analyses/events-panel.tsx';
import type { PanelProps } from '#rooms/analyses/types.ts';
import type { ZonesState } from '#rooms/zones/use-zones.ts';
import { ZonesPanel } from '#rooms/zones/zones-panel.tsx';
import type { Range } from '#timeline/lanes.ts';
import { Tabs } from '#ui/controls/tabs.tsx';
import { CaptionsPanel } from './captions/captions-panel.tsx';
import { DetailsTab } from './details/details-tab.tsx';
import { useVideoSearch } from './use-search.ts';

/** The panel beside the player: questions, events, coverage, zones, captions and details. */
export function VideoPanel({
  video,
  eventCount,
  unseen,
  onSelect,
  onSeek,
  currentTime,
  zones,
}: Pick<PanelProps, 'onSelect' | 'currentTime'> & {
  video: VideoStatus;
  eventCount: number;
  unseen: readonly Range[] | null;
  onSeek: (timeS: number) => void;
  zones: ZonesState;
}) {
  const { t } = useLingui();
  const [{ tab = 'ask', analysis, event, ask }, change] = useVideoSearch();
  const { video_id: videoId, video_name: name, duration_s: durationS } = video;
  const panel: PanelProps = {
    video: { videoId, name, durationS: durationS ?? 0 },
    analysisId: analysis,
    selectedEvent: event,
    onAnalysis: (id) => void change({ analysis: id, event: undefined, ask: undefined }),
    onSelect,
    currentTime,
  };
  const folder = video.folder_id ? { id: video.folder_id, name: video.folder_name ?? video.folder_id } : null;
  return (
    <Tabs
      label={t`About this video`}
      className="lg:h-full"
      value={tab}
      onChange={(value) => void change({ tab: value })}
      tabs={[
        { value: 'ask' as const, label: t`Ask`, panel: <AskPanel {...panel} folder={folder} prompt={ask} /> },
        {
          value: 'events' as const,
          label: t`Events`,
          panel: <EventsPanel {...panel} />,
          ...(eventCount > 0 ? { count: eventCount } : {}),
        },
        { value: 'coverage' as const, label: t`Coverage`, panel: <CoveragePanel {...panel} unseen={unseen} /> },
        {
          value: 'zones' as const,
          label: t`Zones`,
          panel: <ZonesPanel video={video} zones={zones} onAsk={(ask) => void change({ tab: 'ask', ask })} />,
          ...(zones.zones.length > 0 ? { count: zones.zones.length } : {}),
        },
        {
          value: 'captions' as const,
          label: t`Captions`,
          panel: <CaptionsPanel videoId={videoId} onSeek={onSeek} />,
        },
        { value: 'details' as const, label: t`Details`, panel: <DetailsTab video={video} /> },
      ]}
    />
  );
}
