import { useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { X } from 'lucide-react';
import { useState } from 'react';
import { INPUT } from '#ui/controls/field.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { useChangeVideo } from '../queries.ts';
import { Section } from './details-section.tsx';

/** Tags as chips; Enter or a comma adds what was typed. */
export function TagEditor({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const { mutate, variables, isPending, error } = useChangeVideo(video.video_id);
  const tags = (isPending && variables?.tags) || video.tags;
  const isReadOnly = video.scope === 'sample';

  const add = () => {
    const added = text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '' && !tags.includes(tag));
    if (added.length > 0) mutate({ tags: [...tags, ...new Set(added)] }, { onSuccess: () => setText('') });
    else setText('');
  };
  return (
    <Section title={t`Tags`}>
      <ul className="flex flex-wrap gap-1.5 empty:hidden">
        {tags.map((tag) => (
          <li key={tag} className="flex items-center gap-1 rounded-md bg-raise py-0.5 pr-1 pl-2">
            <span className="break-all">{tag}</span>
            {!isReadOnly && (
              <button
                type="button"
                aria-label={t`Remove the tag ${tag}`}
                className="grid size-4.5 place-items-center rounded-sm text-ink-3 hover:text-ink"
                onClick={() => mutate({ tags: tags.filter((each) => each !== tag) })}
              >
                <X size={13} aria-hidden />
              </button>
            )}
          </li>
        ))}
      </ul>
      {!isReadOnly && (
        <input
          className={INPUT}
          aria-label={t`Add a tag`}
          placeholder={t`Add a tag`}
          maxLength={64}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== ',') return;
            event.preventDefault();
            add();
          }}
        />
      )}
      {error && <ErrorNotice error={error} />}
    </Section>
  );
}
