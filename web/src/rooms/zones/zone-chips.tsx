import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { phraseOf, questionAbout } from './draft.ts';
import { zonesQuery } from './queries.ts';

/** The names of the zones of a video, as questions name them: without a text a whole question, else added to it. */
export function ZoneChips({
  videoId,
  text,
  onText,
}: {
  videoId: string;
  text: string;
  onText: (text: string) => void;
}) {
  const { t } = useLingui();
  const { data: zones = [] } = useQuery(zonesQuery(videoId));
  const named = zones.filter((zone) => !text.toLowerCase().includes(phraseOf(zone).toLowerCase()));
  if (named.length === 0) return null;
  const isEmpty = text.trim() === '';
  return (
    <ul aria-label={t`Zones`} className="flex flex-wrap gap-1" lang="en">
      {named.slice(0, 12).map((zone) => {
        const phrase = phraseOf(zone);
        const question = questionAbout(zone);
        return (
          <li key={zone.zone_id}>
            <button
              type="button"
              onClick={() => onText(isEmpty ? question : `${text.trimEnd()} ${phrase}`)}
              className="rounded-full border border-accent/50 px-2 text-accent-text text-sm leading-5.5 hover:border-accent"
            >
              {isEmpty ? question : phrase}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
