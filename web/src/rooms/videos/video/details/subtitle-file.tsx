import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { sightline } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { FileButton } from '#ui/controls/file-button.tsx';
import { ErrorNotice } from '#ui/states.tsx';

type Summary = { filename: string; language: string | null; captions: number };

/** The subtitle file that was added to a video: its summary, and buttons to add, replace and remove it. */
export function SubtitleFile({ video }: { video: VideoStatus }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const onSettled = () =>
    Promise.all(['video', 'captions'].map((key) => queries.invalidateQueries({ queryKey: [key, video.video_id] })));
  const upload = useMutation({
    mutationFn: (file: File) => sightline.putSubtitles(video.video_id, file, { filename: file.name }),
    onSettled,
  });
  const remove = useMutation({ mutationFn: () => sightline.deleteSubtitles(video.video_id), onSettled });
  const summary = video.metadata.subtitles as Summary | undefined;
  const error = upload.error ?? remove.error;
  return (
    <div className="grid gap-2">
      {summary ? (
        <p className="break-all">
          {summary.filename}
          <span className="num text-ink-3">
            {' · '}
            <Plural value={summary.captions} one="# subtitle" other="# subtitles" />
            {summary.language && ` · ${languageName(summary.language, i18n.locale)}`}
          </span>
        </p>
      ) : (
        <p className="text-ink-3">
          <Trans>
            An SRT or WebVTT file is shown as captions, and questions about what is spoken are answered from it. Without
            one, the subtitles in the video are used, or the transcript.
          </Trans>
        </p>
      )}
      {video.scope !== 'sample' && (
        <div className="flex flex-wrap gap-2">
          <FileButton accept=".srt,.vtt" busy={upload.isPending} onFile={(file) => upload.mutate(file)}>
            {summary ? t`Replace the subtitles` : t`Add subtitles`}
          </FileButton>
          {summary && (
            <Button icon={Trash2} busy={remove.isPending} onClick={() => remove.mutate()}>
              <Trans>Remove the subtitles</Trans>
            </Button>
          )}
        </div>
      )}
      {error && <ErrorNotice error={error} />}
    </div>
  );
}

const languageName = (tag: string, locale: string) =>
  new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;
