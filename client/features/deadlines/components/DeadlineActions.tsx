import Ellipsis from 'lucide-react/icons/ellipsis';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { DeadlineWithHistory } from '@matterdesk/contract/deadlines.ts';
import { paths } from '../../../core/paths.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { buttonClass } from '../../../ui/button-class.ts';
import { Button } from '../../../ui/Button.tsx';
import type { MenuEntry } from '../../../ui/Menu.tsx';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { acknowledge } from '../api.ts';
import { type ActName, actOf, mayCorrect, type Reader } from '../rules.ts';

const ChangeDialog = lazy(async () => ({
  default: (await import('./ChangeDialog.tsx')).ChangeDialog,
}));
const CorrectDialog = lazy(async () => ({
  default: (await import('./CorrectDialog.tsx')).CorrectDialog,
}));
const EditDialog = lazy(async () => ({
  default: (await import('./EditDialog.tsx')).EditDialog,
}));

interface DeadlineActionsProps {
  deadline: DeadlineWithHistory;
  /** The act with which the deadline was opened. */
  act: ActName | undefined;
  reader: Reader;
}

type Opened = 'change' | 'complete' | 'correct' | 'edit';
const dialogs: Partial<Record<ActName, Opened>> = {
  assign: 'edit',
  complete: 'complete',
  reopen: 'change',
};

/** The one act that fits the state, and the others in a menu. Verifying and deciding have their own places. */
export function DeadlineActions({ deadline, act: asked, reader }: DeadlineActionsProps) {
  const [opened, setOpened] = useState<Opened | null>((asked && dialogs[asked]) ?? null);
  const { isBusy, attempt } = useAttempt();
  const act = actOf(deadline, reader);
  const entries = useOthers({ deadline, reader }, setOpened);
  const params = { id: deadline.id };
  const shown = { deadline, onClose: () => setOpened(null) };
  const dialog = act && dialogs[act.name];
  return (
    <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
      {act?.name === 'acknowledge' && (
        <Button busy={isBusy} onClick={() => void attempt(params, () => acknowledge({ params }))}>
          {act.words}
        </Button>
      )}
      {act?.name === 'open' && deadline.case && (
        <Link className={buttonClass()} to={paths.caseDetails(deadline.case.id)}>
          {act.words}
        </Link>
      )}
      {dialog && <Button onClick={() => setOpened(dialog)}>{act.words}</Button>}
      {entries.length > 0 && (
        <MenuButton label="More actions" icon={Ellipsis} variant="quiet" entries={entries} />
      )}
      <Suspense fallback={null}>
        {opened === 'change' && <ChangeDialog {...shown} />}
        {opened === 'complete' && <ChangeDialog {...shown} action="complete" />}
        {opened === 'correct' && <CorrectDialog {...shown} />}
        {opened === 'edit' && <EditDialog {...shown} />}
      </Suspense>
    </div>
  );
}

function useOthers(
  { deadline, reader }: Pick<DeadlineActionsProps, 'deadline' | 'reader'>,
  onOpen: (what: Opened) => void,
): MenuEntry[] {
  const navigate = useNavigate();
  const { hard, owner, pending, status } = deadline;
  const canEditDeadline = owner?.id === reader.id || reader.editsCalendar;
  const entries: MenuEntry[] = [];
  if ((hard || canEditDeadline) && !pending && status === 'open')
    entries.push({
      label: hard ? 'Propose a change' : 'Change',
      onSelect: () => onOpen('change'),
    });
  if (mayCorrect(deadline, reader))
    entries.push({ label: 'Correct the date', onSelect: () => onOpen('correct') });
  if (canEditDeadline) entries.push({ label: 'Edit', onSelect: () => onOpen('edit') });
  if (deadline.case && status !== 'vacated') {
    const query = `view=deadlines&deadline=${deadline.id}&apply=deadline:${deadline.id}`;
    entries.push({
      label: 'Count from it',
      onSelect: () => void navigate(`${paths.calendar}?${query}`),
    });
  }
  return entries;
}
