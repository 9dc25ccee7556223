import { useLingui } from '@lingui/react/macro';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { classes } from '../classes.ts';
import { useToasts } from '../overlays/toasts.tsx';
import { IconButton } from './button.tsx';

/** A text to copy, such as a key or a link. `block` shows several lines. */
export function CopyField({ label, text, block }: { label: string; text: string; block?: boolean }) {
  const { t } = useLingui();
  const [copied, setCopied] = useState(false);
  return (
    <div className="grid gap-1">
      <span className="font-medium text-ink-2 text-sm">{label}</span>
      <div className="flex items-start gap-1 rounded-md border bg-bg p-1 pl-2">
        <code
          className={classes(
            'min-w-0 flex-1 select-all self-center font-mono text-sm',
            block ? 'max-h-56 overflow-y-auto whitespace-pre-wrap break-words' : 'break-all',
          )}
        >
          {text}
        </code>
        <IconButton
          icon={copied ? Check : Copy}
          label={copied ? t`Copied` : t`Copy`}
          onClick={() => void copyText(text).then(setCopied)}
        />
      </div>
    </div>
  );
}

/** Returns a function that copies a text and shows a message, or that the browser refused it. */
export function useCopy(): (text: string, message?: string) => Promise<void> {
  const { t } = useLingui();
  const { show, showError } = useToasts();
  return async (text, message = t`Copied`) => {
    if (await copyText(text)) show(message);
    else showError(new Error(t`The browser does not allow pages to copy.`));
  };
}

/** Copies a text. The clipboard API needs HTTPS, so pages over plain HTTP copy from a text field. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.activeElement?.after(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
