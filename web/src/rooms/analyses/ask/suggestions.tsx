import { Trans, useLingui } from '@lingui/react/macro';

/** Prompts that can be searched in place of one that is refused for its wording; a click takes one of them. */
export function Suggestions({ of, onPick }: { of: readonly string[] | undefined; onPick: (text: string) => void }) {
  const { t } = useLingui();
  if (!of || of.length === 0) return null;
  return (
    <div className="flex flex-wrap items-baseline gap-1.5 text-sm">
      <span className="text-ink-2">
        <Trans>Did you mean</Trans>
      </span>
      <ul aria-label={t`Did you mean`} className="contents" lang="en">
        {of.map((suggestion) => (
          <li key={suggestion}>
            <button
              type="button"
              onClick={() => onPick(suggestion)}
              className="rounded-full border px-2 text-left text-ink leading-5.5 hover:border-strong-line"
            >
              {suggestion}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
