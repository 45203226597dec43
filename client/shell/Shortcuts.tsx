import { Dialog, DialogClose } from '../ui/Dialog.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { CALL_KEYS, PALETTE_KEYS, UNDO_KEYS } from './keys.ts';

/** Keys, each an alternative, and what they do. */
type Shortcut = readonly [keys: readonly string[], does: string];
type Section = { title: string; shortcuts: readonly Shortcut[] };

const SECTIONS: readonly Section[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      [[PALETTE_KEYS], 'Find anything'],
      [[CALL_KEYS], 'Log a call'],
      [['G T'], 'Go to To file'],
      [[UNDO_KEYS], 'Undo the last act on this page'],
      [['Ctrl Enter'], 'Save the open dialog'],
      [['Esc'], 'Close what is open'],
      [['?'], 'Show these shortcuts'],
    ],
  },
  {
    title: 'Lists',
    shortcuts: [
      [['J', '↓'], 'Next row'],
      [['K', '↑'], 'Previous row'],
      [['Home'], 'First row'],
      [['End'], 'Last row'],
      [['Enter'], 'Open'],
    ],
  },
  {
    title: 'Stream of a matter',
    shortcuts: [
      [['N'], 'Write a note'],
      [['@'], 'Mention someone'],
      [['Ctrl Enter'], 'Save'],
    ],
  },
  {
    title: 'Board',
    shortcuts: [
      [['←', '↑', '→', '↓'], 'Go from card to card'],
      [['Ctrl ←', 'Ctrl →'], 'Move it to another column'],
      [['Ctrl ↑', 'Ctrl ↓'], 'Move it in its column'],
      [['Enter'], 'Edit the card'],
    ],
  },
  {
    title: 'Calendar',
    shortcuts: [
      [['N'], 'New event'],
      [['T'], 'Today'],
      [['M', 'W', 'D', 'A'], 'Month, week, day, agenda'],
      [['←', '→'], 'Earlier, later'],
      [['Ctrl ↑', 'Ctrl ↓'], 'Move the event'],
    ],
  },
  {
    title: 'Emails',
    shortcuts: [
      [['C'], 'Compose'],
      [['/'], 'Search'],
      [['R', 'A', 'F'], 'Reply, reply to all, forward'],
      [['E'], 'Archive'],
      [['#'], 'Move to the trash'],
      [['Shift U'], 'Mark as unread'],
      [['U'], 'Back to the list'],
      [['Ctrl Enter'], 'Send'],
      [['Ctrl B', 'Ctrl I', 'Ctrl U'], 'Bold, italic, underline'],
      [['Ctrl K'], 'Link in a mail'],
    ],
  },
  {
    title: 'To file',
    shortcuts: [
      [['J', 'K'], 'Next paper, previous paper'],
      [['1', '2', '3'], 'File in that matter'],
      [['/'], 'Another matter'],
      [['T'], 'File with a task'],
      [['X'], 'Not for a matter'],
      [['U'], 'Undo'],
    ],
  },
  { title: 'Intakes', shortcuts: [[['N'], 'New intake']] },
  {
    title: 'Documents',
    shortcuts: [
      [['Ctrl F'], 'Find in the document'],
      [['+', '-'], 'Zoom in, zoom out'],
      [['0'], 'Fit the page'],
    ],
  },
];

/** The keyboard shortcuts of all pages. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" size="wide" footer={<DialogClose />}>
      <div className="gap-x-10 sm:columns-2 lg:columns-3">
        {SECTIONS.map(({ title, shortcuts }) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1.5 font-semibold">{title}</h3>
            <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1.5 text-sm">
              {shortcuts.map(([keys, does]) => (
                <div key={does} className="col-span-2 grid grid-cols-subgrid">
                  <dt className="order-2 flex items-start justify-end gap-1">
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dt>
                  <dd className="text-ink-2">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
