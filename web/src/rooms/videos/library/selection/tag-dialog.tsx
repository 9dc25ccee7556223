import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { classes } from '#ui/classes.ts';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import type { LibraryVideo } from '../library-query.ts';

/** Adds tags to videos and removes tags that they have. */
export function TagDialog({
  videos,
  onClose,
  onSave,
}: {
  videos: readonly LibraryVideo[];
  onClose: () => void;
  onSave: (add: string[], remove: string[]) => Promise<void>;
}) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const existing = [...new Set(videos.flatMap(({ tags }) => tags))].sort();
  const added = text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);

  async function save(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    await onSave(added, [...removed]);
    onClose();
  }
  function toggle(tag: string) {
    const next = new Set(removed);
    if (!next.delete(tag)) next.add(tag);
    setRemoved(next);
  }
  return (
    <Dialog open onClose={onClose} title={<Plural value={videos.length} one="Tag # video" other="Tag # videos" />}>
      <form className="grid gap-3" onSubmit={save}>
        <TextField
          label={t`New tags, separated by commas`}
          value={text}
          autoFocus
          onChange={(event) => setText(event.target.value)}
        />
        {existing.length > 0 && (
          <fieldset className="grid gap-1.5">
            <legend className="mb-1 text-ink-2 text-sm">
              <Trans>Tags of these videos; select those to remove</Trans>
            </legend>
            <div className="flex flex-wrap gap-1.5">
              {existing.map((tag) => (
                <button
                  key={tag}
                  type="button"
                  aria-pressed={removed.has(tag)}
                  onClick={() => toggle(tag)}
                  className={classes(
                    'inline-flex items-center gap-1 rounded-full border px-2.5 py-0.5',
                    removed.has(tag) && 'border-bad/50 text-bad line-through',
                  )}
                >
                  {tag}
                  <X size={12} aria-hidden />
                </button>
              ))}
            </div>
          </fieldset>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" look="primary" busy={busy} disabled={added.length === 0 && removed.size === 0}>
            {t`Save`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
