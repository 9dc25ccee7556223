import { Trans, useLingui } from '@lingui/react/macro';
import { Quoted } from '#ui/format/quoted.tsx';
import { Popover } from '#ui/overlays/popover.tsx';
import { EXAMPLES } from './examples.ts';

/** Advice for a part of a question that cannot be searched for. */
export function SearchHelp() {
  const { t } = useLingui();
  return (
    <Popover
      className="grid max-w-80 gap-2"
      title={<Trans>What can be searched for</Trans>}
      trigger={
        <button type="button" className="font-medium text-accent-text hover:underline">
          <Trans>What can be searched for?</Trans>
        </button>
      }
    >
      <p>
        <Trans>
          People, vehicles, animals and 70 other objects: their color, number, place, direction and what they are next
          to. What the picture, the camera and the sound do. Measured speed and braking.
        </Trans>
      </p>
      <ul aria-label={t`Examples`} className="grid gap-0.5 text-ink-2" lang="en">
        {EXAMPLES.map((example) => (
          <li key={example}>
            <Quoted>{example}</Quoted>
          </li>
        ))}
      </ul>
      <p className="text-ink-2">
        <Trans>
          A vision-language model answers everything else. An administrator connects one in the configuration of the
          service.
        </Trans>
      </p>
    </Popover>
  );
}
