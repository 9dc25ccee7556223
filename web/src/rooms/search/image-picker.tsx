import { Trans, useLingui } from '@lingui/react/macro';
import { ImageUp, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { type ChosenImage, chooseImage } from './frames-query.ts';

type Props = { image: ChosenImage | null; onImage: (image: ChosenImage | null) => void };

/** Chooses an image to search for, or removes the chosen one. */
export function ImagePicker({ image, onImage }: Props) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [failed, setFailed] = useState(false);

  async function choose(file: File | undefined) {
    if (!file) return;
    try {
      onImage(await chooseImage(file));
      setFailed(false);
    } catch {
      setFailed(true);
    }
  }
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t`Image to search for`}
        onChange={(event) => {
          void choose(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Button icon={ImageUp} className="h-10" onClick={() => input.current?.click()}>
        <Trans>Search by image</Trans>
      </Button>
      {image && (
        <button
          type="button"
          aria-label={t`Remove the image ${image.name}`}
          onClick={() => onImage(null)}
          className="inline-flex h-7 min-w-0 max-w-64 items-center gap-1 rounded-full border border-strong-line bg-raise px-3 hover:border-ink-3"
        >
          <span className="truncate">{image.name}</span>
          <X size={13} className="shrink-0" aria-hidden />
        </button>
      )}
      {failed && (
        <p role="alert" className="text-bad text-sm">
          <Trans>This file is not an image that your browser can read.</Trans>
        </p>
      )}
    </div>
  );
}
