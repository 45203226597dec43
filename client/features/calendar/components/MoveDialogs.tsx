import { GuestDialog } from './GuestDialog.tsx';
import { ScopeDialog } from './ScopeDialog.tsx';
import type { useMoves } from './use-moves.ts';

/** What a move asks: which events of a series it means, and whether guests are sent the change. */
export function MoveDialogs({ moves }: { moves: ReturnType<typeof useMoves> }) {
  const { asked, save, leave, question, closeQuestion } = moves;
  if (asked)
    return (
      <ScopeDialog
        title={asked.event.title}
        onSave={(scope) => void save(asked, scope)}
        onClose={leave}
      />
    );
  return question && <GuestDialog question={question} onClose={closeQuestion} />;
}
