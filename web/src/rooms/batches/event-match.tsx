import { Trans } from '@lingui/react/macro';
import type { EventSummary } from '@sightline/sdk';
import { formatTime } from '#ui/format/format.ts';

type Match = EventSummary['matches'][number];

/** Where words of a search were found, unless the label shows it. */
export function EventMatch({ matches }: { matches: readonly Match[] }) {
  const match = matches.find(({ source }) => source !== 'label' && source !== 'caption' && source !== 'type');
  if (!match) return null;
  return (
    <p className="line-clamp-2 break-words text-ink-2 text-sm">
      <MatchText match={match} />
    </p>
  );
}

function MatchText({ match: { source, text, start_s: startS } }: { match: Match }) {
  const time = formatTime(startS ?? 0);
  switch (source) {
    case 'transcript':
      return (
        <Trans>
          Spoken at {time}: “{text}”
        </Trans>
      );
    case 'text':
      return (
        <Trans>
          Read at {time}: “{text}”
        </Trans>
      );
    case 'note':
      return <Trans>Note: {text}</Trans>;
    case 'tag':
      return <Trans>Tag: {text}</Trans>;
    default:
      return <Trans>Question: {text}</Trans>;
  }
}
