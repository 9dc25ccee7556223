import { useLingui } from '@lingui/react/macro';
import { Keys } from '#ui/controls/keys.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';

/** The list of keyboard shortcuts. */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const groups: [string, [string[], string][]][] = [
    [
      t`Everywhere`,
      [
        [['Ctrl', 'K'], t`Search and commands`],
        [['/'], t`Filter or search the page`],
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
        [['C'], t`Show or hide captions`],
        [['Z'], t`Show or hide zones`],
        [['F'], t`Full screen`],
        [['M'], t`Mute`],
      ],
    ],
    [
      t`Review`,
      [
        [['A'], t`Approve the event`],
        [['R'], t`Reject; then a number for the reason, or R again`],
        [['F'], t`Mark as unsure`],
        [['E'], t`Edit the label`],
        [['[', ']'], t`Set the start or the end to the shown frame`],
        [['{', '}'], t`Move the start or the end outwards by a frame`],
        [['M'], t`Add a missed event`],
        [['U'], t`Undo`],
        [['S', '↑', '↓'], t`Skip, previous and next event`],
        [['X'], t`Select the event`],
        [[t`Shift`, 'A'], t`Approve the selected events`],
      ],
    ],
    [
      t`Wall`,
      [
        [['←', '→', '↑', '↓'], t`Move between tiles`],
        [[t`Shift`, '← → ↑ ↓'], t`Move the tile to another place`],
        [[t`Enter`], t`Open the tile, at its newest event`],
        [['S'], t`Mark the events of the tile as seen`],
        [['1', '2', '3', '4'], t`Tiles in a row`],
        [['PgUp', 'PgDn'], t`Previous and next page`],
        [['F'], t`Full screen`],
        [[t`Esc`], t`Back from a single tile`],
      ],
    ],
    [
      t`Library`,
      [
        [['X'], t`Select the focused video`],
        [['←', '→', '↑', '↓'], t`Move between videos`],
        [[t`Enter`], t`Open the focused video`],
      ],
    ],
  ];
  return (
    <Dialog open={open} onClose={onClose} title={t`Keyboard shortcuts`} wide>
      <div className="gap-x-8 sm:columns-2">
        {groups.map(([name, shortcuts]) => (
          <section key={name} className="mb-4 break-inside-avoid">
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
