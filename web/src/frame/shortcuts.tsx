import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Dialog } from '#ui/dialog.tsx';
import { Keys } from '#ui/keys.tsx';

const OPEN = 'sightline:shortcuts';

/** Opens the list of keyboard shortcuts. */
export const openShortcuts = (): void => void window.dispatchEvent(new Event(OPEN));

/** True while the user types text, so that single keys are not shortcuts. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !['checkbox', 'radio', 'range', 'button'].includes((target as HTMLInputElement).type);

/** The list of keyboard shortcuts; `?` opens it. */
export function ShortcutsDialog() {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const show = () => setOpen(true);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTyping(event.target)) setOpen(true);
    };
    window.addEventListener(OPEN, show);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener(OPEN, show);
      window.removeEventListener('keydown', onKey);
    };
  }, []);
  const groups: [string, [string[], string][]][] = [
    [
      t`Everywhere`,
      [
        [['Ctrl', 'K'], t`Search and commands`],
        [['?'], t`This list`],
      ],
    ],
    [
      t`Video`,
      [
        [[t`Space`], t`Play or pause`],
        [['J'], t`Play backwards, or back by 5 seconds`],
        [['K'], t`Pause`],
        [['L'], t`Play; again for double speed`],
        [[',', '.'], t`Previous and next frame`],
        [['←', '→'], t`Back and forward by 1 second`],
        [['↑', '↓'], t`Previous and next event`],
        [['I', 'O'], t`Set the in and the out mark`],
        [['B'], t`Show or hide boxes`],
        [['F'], t`Full screen`],
        [['M'], t`Mute`],
      ],
    ],
    [
      t`Library`,
      [
        [['X'], t`Select the focused video`],
        [['/'], t`Filter by name`],
      ],
    ],
  ];
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={t`Keyboard shortcuts`} wide>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {groups.map(([name, shortcuts]) => (
          <section key={name}>
            <h3 className="mb-1.5 text-ink-2 text-sm">{name}</h3>
            <dl className="grid gap-1.5">
              {shortcuts.map(([keys, text]) => (
                <div key={text} className="flex items-center justify-between gap-4">
                  <dt>{text}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {keys.map((key) => (
                      <Keys key={key}>{key}</Keys>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
