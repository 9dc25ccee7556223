import { Plural, Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { sightline } from '#api/client.ts';
import { queries } from '#api/queries.ts';
import { AskBox } from '#rooms/analyses/ask/ask-box.tsx';
import { type Draft, EMPTY_DRAFT, type QuestionVideos, toQuestion } from '#rooms/analyses/queries.ts';
import { formatNumber } from '#ui/format/format.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { EmptyState } from '#ui/states.tsx';

/** Largest number of videos of one question. */
const MAX_VIDEOS = 1_000;

type Props = {
  open: boolean;
  onClose: () => void;
  /** A selection, or the filter of the videos, of which the service chooses those of the time in the question. */
  videos: QuestionVideos;
  title: ReactNode;
  /** Text that the box starts with. */
  text?: string;
};

/** Asks one question about many videos and opens the page of its results. */
export function AskManyDialog({ open, onClose, videos, title, text = '' }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title} wide>
      {open && <AskMany videos={videos} text={text} onClose={onClose} />}
    </Dialog>
  );
}

function AskMany({ videos, text, onClose }: Pick<Props, 'videos' | 'onClose'> & { text: string }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, query: text });
  if (Array.isArray(videos) && videos.length === 0)
    return <EmptyState title={<Trans>There are no videos to ask about</Trans>} />;
  const isCut = Array.isArray(videos) && videos.length > MAX_VIDEOS;
  const covered = isCut ? videos.slice(0, MAX_VIDEOS) : videos;

  async function ask(draft: Draft) {
    const { batch_id: batchId } = await sightline.start(toQuestion(draft, covered));
    void queries.invalidateQueries({ queryKey: ['batches'] });
    onClose();
    await navigate({ to: '/questions/$batchId', params: { batchId } });
  }

  return (
    <div className="grid gap-3">
      {Array.isArray(covered) && (
        <p className="num text-ink-2">
          <Plural value={covered.length} one="# video" other="# videos" />
          {isCut && (
            <span className="block text-sm text-warn">
              <Trans>A question covers at most {formatNumber(MAX_VIDEOS)} videos; these are the newest.</Trans>
            </span>
          )}
        </p>
      )}
      <AskBox videos={covered} draft={draft} onDraft={setDraft} onAsk={ask} autoFocus />
    </div>
  );
}
