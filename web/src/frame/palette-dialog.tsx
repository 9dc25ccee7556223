import { Dialog } from '@base-ui/react/dialog';
import { useLingui } from '@lingui/react/macro';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { classes } from '#ui/classes.ts';
import { type Command, useCommands } from './palette-commands.ts';

/** The dialog of the command palette. `takeTyped` returns what was typed before it was there. */
export function PaletteDialog({
  open,
  onOpenChange,
  takeTyped,
  finalFocus,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  takeTyped: () => string;
  /** The element that gets the focus when it closes. */
  finalFocus: RefObject<HTMLElement | null>;
}) {
  const { t } = useLingui();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/50" />
        <Dialog.Popup
          finalFocus={finalFocus}
          className="fixed top-[10vh] left-1/2 z-40 w-[min(calc(100vw-24px),620px)] -translate-x-1/2 overflow-hidden rounded-lg bg-panel shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">{t`Search and commands`}</Dialog.Title>
          <Palette close={() => onOpenChange(false)} takeTyped={takeTyped} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Palette({ close, takeTyped }: { close: () => void; takeTyped: () => string }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const list = useId();
  const commands = useCommands(text);
  const chosen = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the input has the focus.
  useEffect(() => {
    const before = takeTyped();
    if (before) setText(before);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another selected row is scrolled into view.
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const run = (command: Command | undefined) => {
    if (!command) return;
    close();
    void command.run();
  };
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog opens to type here.
        autoFocus
        role="combobox"
        aria-label={t`Search and commands`}
        aria-expanded
        aria-controls={list}
        aria-activedescendant={`${list}-${selected}`}
        placeholder={t`Search events and videos, or go to a page`}
        className="h-11 w-full bg-transparent px-3.5 text-lg outline-none"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setSelected(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step) {
            event.preventDefault();
            setSelected((selected + step + commands.length) % Math.max(1, commands.length));
          }
          if (event.key === 'Enter') run(commands[selected]);
        }}
      />
      <div id={list} role="listbox" aria-label={t`Results`} className="max-h-[50vh] overflow-y-auto border-t p-1">
        {commands.map(({ icon: Icon, ...command }, index) => (
          <div
            key={command.id}
            ref={index === selected ? chosen : undefined}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            className={classes(
              'flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5',
              index === selected && 'bg-raise',
            )}
            onPointerMove={() => setSelected(index)}
            onClick={() => run(commands[index])}
            onKeyDown={(event) => event.key === 'Enter' && run(commands[index])}
          >
            <Icon size={15} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />
            <span className="truncate">{command.text}</span>
            {command.hint && <span className="ml-auto shrink-0 text-ink-3 text-sm">{command.hint}</span>}
          </div>
        ))}
      </div>
    </>
  );
}
