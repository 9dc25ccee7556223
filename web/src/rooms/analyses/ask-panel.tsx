import { Trans } from '@lingui/react/macro';
import type { AnalysisDocument } from '@sightline/sdk';
import { FolderClosed, RotateCw } from 'lucide-react';
import { Suspense, useState } from 'react';
import { sightline } from '#api/client.ts';
import { lazyComponent } from '#api/lazy-component.ts';
import { queries } from '#api/queries.ts';
import { SaveButton } from '#rooms/saved-questions/save-button.tsx';
import { ZoneChips } from '#rooms/zones/zone-chips.tsx';
import { Button } from '#ui/controls/button.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { Answer } from './answer.tsx';
import { AskBox } from './ask/ask-box.tsx';
import { Suggestions } from './ask/suggestions.tsx';
import { EventList } from './event-list.tsx';
import { PastQuestions } from './past-questions.tsx';
import {
  analysesQuery,
  batchQuery,
  type Draft,
  EMPTY_DRAFT,
  ownTimeZone,
  useAnalysis,
  useAnalysisEvents,
} from './queries.ts';
import { RunningQuestion } from './running-question.tsx';
import type { PanelProps } from './types.ts';

// Loaded when it is first opened.
const AskManyDialog = lazyComponent(async () => (await import('#rooms/batches/ask-many-dialog.tsx')).AskManyDialog);

type Folder = { id: string; name: string };

/** Asks about one video, shows the answer as it comes, and lists earlier questions. */
export function AskPanel({
  folder,
  prompt = '',
  ...props
}: PanelProps & {
  folder: Folder | null;
  /** Text that the box starts with. */
  prompt?: string;
}) {
  const { video, analysisId: chosen, onAnalysis } = props;
  const [draft, setDraft] = useState<Draft>(() => ({ ...EMPTY_DRAFT, query: prompt }));
  const [answered, setAnswered] = useState<Draft | null>(null);
  const { showError } = useToasts();
  const { analysisId, document, error, refetch, batch, question } = useAnalysis(video.videoId, chosen);
  const { events, seen } = useAnalysisEvents(video.videoId, analysisId);
  const analysis = document?.analysis;
  const isRepeated = answered !== null && analysis?.query === answered.query && draft.query.trim() === answered.query;

  /** Starts a question. Its analysis becomes part of the address, so that a reload continues with it. */
  async function ask(draft: Draft) {
    const { batch_id } = await sightline.start({
      ...draft,
      videoIds: [video.videoId],
      timeZone: ownTimeZone(),
      preliminary: true,
    });
    const started = await queries.fetchQuery({ ...batchQuery(batch_id), staleTime: 0 });
    onAnalysis(started.videos[0]!.analysis_id);
    setAnswered(draft);
    void queries.invalidateQueries({ queryKey: analysesQuery(video.videoId).queryKey });
    void queries.invalidateQueries({ queryKey: ['batches'] });
  }

  const again = (draft: Draft) => {
    setDraft(draft);
    ask(draft).catch(showError);
  };

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-3.5">
      <AskBox
        videos={[video.videoId]}
        draft={draft}
        onDraft={setDraft}
        onAsk={ask}
        answered={answered}
        suggestions={
          <ZoneChips videoId={video.videoId} text={draft.query} onText={(query) => setDraft({ ...draft, query })} />
        }
      >
        {folder && <AskFolder folder={folder} text={draft.query} />}
      </AskBox>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {analysis && (
        <section className="grid gap-3 border-t pt-3.5">
          {/* The box has the same words while the answer is new. */}
          <h2 className={isRepeated ? 'sr-only' : 'break-words'}>{analysis.query}</h2>
          {analysis.status === 'PROCESSING' ? (
            <RunningQuestion
              analysisId={analysisId!}
              batch={batch}
              question={question}
              stage={analysis.stage}
              seen={seen}
            />
          ) : (
            <>
              <Answer analysis={analysis} />
              <Suggestions of={analysis.suggestions} onPick={(query) => again({ ...toDraft(analysis), query })} />
            </>
          )}
          {analysis.status !== 'PROCESSING' && (
            <div className="flex flex-wrap gap-2">
              {analysis.status === 'FAILED' && (
                <Button icon={RotateCw} onClick={() => again(toDraft(analysis))}>
                  <Trans>Ask again</Trans>
                </Button>
              )}
              <SaveButton question={{ query: analysis.query, mode: analysis.mode === 'fast' ? 'fast' : 'thinking' }} />
            </div>
          )}
          <EventList {...props} events={events.slice(0, SHOWN)} />
          {events.length > SHOWN && (
            <p className="num text-ink-3 text-sm">
              <Trans>{events.length - SHOWN} more in the tab Events</Trans>
            </p>
          )}
        </section>
      )}
      <PastQuestions
        videoId={video.videoId}
        current={analysisId}
        onOpen={onAnalysis}
        onDeleted={(id) => id === analysisId && onAnalysis(undefined)}
        onAgain={again}
      />
    </div>
  );
}

const toDraft = ({ query, mode, min_confidence: minConfidence = 0.5 }: AnalysisDocument['analysis']): Draft => ({
  query,
  fast: mode === 'fast',
  minConfidence,
});

/** Number of events below the answer; the tab of events has all of them. */
const SHOWN = 5;

/** Asks the question about all videos of the folder instead. */
function AskFolder({ folder: { id, name }, text }: { folder: Folder; text: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={FolderClosed} onClick={() => setOpen(true)}>
        <Trans>Whole folder</Trans>
      </Button>
      {open && (
        <Suspense>
          <AskManyDialog
            open
            onClose={() => setOpen(false)}
            videos={{ folder_id: id }}
            title={<Trans>Ask about the folder {name}</Trans>}
            text={text}
          />
        </Suspense>
      )}
    </>
  );
}
