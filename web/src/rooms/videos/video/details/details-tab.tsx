import { useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFolders } from '#api/folders-query.ts';
import { IconButton } from '#ui/controls/button.tsx';
import { useCopy } from '#ui/controls/copy.tsx';
import { Select } from '#ui/controls/select.tsx';
import { formatBytes, formatDateTime, formatNumber, formatTime } from '#ui/format/format.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { useChangeVideo } from '../queries.ts';
import { ClockEditor } from './clock-editor.tsx';
import { DeleteVideo } from './delete-video.tsx';
import { Section } from './details-section.tsx';
import { LegalHold } from './legal-hold.tsx';
import { MetadataEditor } from './metadata-editor.tsx';
import { NameField } from './name-field.tsx';
import { SidecarFile } from './sidecar-file.tsx';
import { SubtitleFile } from './subtitle-file.tsx';
import { TagEditor } from './tag-editor.tsx';
import { ViewList } from './view-list.tsx';

/** Metadata of a video, and fields that can be changed. */
export function DetailsTab({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4">
      <NameField video={video} />
      <FolderField video={video} />
      <TagEditor video={video} />
      <ClockEditor video={video} />
      <MetadataEditor video={video} />
      <Section title={t`File`}>
        <FileFacts video={video} />
      </Section>
      <Section title={t`Data file`}>
        <SidecarFile video={video} />
      </Section>
      <Section title={t`Subtitles`}>
        <SubtitleFile video={video} />
      </Section>
      <ViewList videoId={video.video_id} />
      <LegalHold video={video} />
      <DeleteVideo video={video} />
    </div>
  );
}

/** A value of no folder in the choice. */
const NONE = 'none';

function FolderField({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const folders = useFolders();
  const { mutate, isPending } = useChangeVideo(video.video_id);
  const { showError } = useToasts();
  const options = [
    { value: NONE, label: t`No folder` },
    ...folders.map(({ id, name }) => ({ value: id, label: name })),
  ];
  if (video.folder_id && !folders.some(({ id }) => id === video.folder_id)) {
    options.push({ value: video.folder_id, label: video.folder_name ?? video.folder_id });
  }
  return (
    <Section title={t`Folder`}>
      <Select
        label={t`Folder`}
        options={options}
        value={video.folder_id ?? NONE}
        disabled={isPending || video.scope === 'sample'}
        onChange={(value) => mutate({ folder_id: value === NONE ? null : value }, { onError: showError })}
      />
    </Section>
  );
}

function FileFacts({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const copy = useCopy();
  const { metadata } = video;
  const sources: Record<string, string> = {
    file: t`Uploaded file`,
    video_url: t`URL`,
    sample: t`Sample`,
    live: t`Livestream`,
    mcap: t`Recording`,
  };
  const facts: [string, ReactNode][] = [
    [t`Uploaded`, formatDateTime(video.created_at)],
    [t`Duration`, video.duration_s !== null && formatTime(video.duration_s, 3)],
    [t`Resolution`, metadata.width !== null && `${metadata.width} × ${metadata.height}`],
    [
      t`Frame rate`,
      metadata.frame_rate !== null && `${formatNumber(metadata.frame_rate, { maximumFractionDigits: 3 })} fps`,
    ],
    [
      t`Format`,
      [...new Set([metadata.container, metadata.video_codec, metadata.audio_codec])].filter(Boolean).join(' · '),
    ],
    [t`Size`, metadata.size_bytes !== null && formatBytes(metadata.size_bytes)],
    [t`Source`, metadata.source_uri ?? sources[metadata.source] ?? metadata.source],
    [t`Visible to`, { user: t`You`, org: t`Your organization`, sample: t`Your organization (sample)` }[video.scope]],
    ['SHA-256', metadata.sha256 && <span className="font-mono text-xs">{metadata.sha256}</span>],
    [
      t`Video id`,
      <span key="id" className="font-mono text-xs">
        {video.video_id}
      </span>,
    ],
  ];
  const copied = new Map([
    ['SHA-256', metadata.sha256],
    [t`Video id`, video.video_id],
  ]);
  return (
    <dl className="num grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      {facts.map(([name, value]) =>
        value ? (
          <div key={name} className="col-span-2 grid grid-cols-subgrid items-center">
            <dt className="text-ink-3">{name}</dt>
            <dd className="flex min-w-0 items-center gap-1">
              <span className="min-w-0 break-all">{value}</span>
              {copied.get(name) && (
                <IconButton
                  icon={Copy}
                  label={t`Copy ${name}`}
                  className="size-6"
                  onClick={() => void copy(copied.get(name)!)}
                />
              )}
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
