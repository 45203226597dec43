import type { Case, CasePatch } from '@matterdesk/contract/cases.ts';
import { AssignSelect, changeEach } from '../../../core/selection.tsx';
import { store } from '../../../core/store.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { changeCaseQuietly } from '../api.ts';
import { caseReceived } from '../slice.ts';

interface BulkCasesProps {
  ids: ReadonlySet<string>;
  /** Whether the list shows archived cases, which are reopened. */
  isArchive: boolean;
  /** Ends the selection after an act. */
  onDone: () => void;
}

/** The acts on the selected cases: assign someone, archive or reopen. */
export function BulkCases({ ids, isArchive, onDone }: BulkCasesProps) {
  const isNone = ids.size === 0;
  const assign = (id: string, name: string) => {
    const team = (matter: Case) => matter.assignedUsers.map((person) => person.id);
    const lacking = selected(ids).filter((matter) => !team(matter).includes(id));
    onDone();
    void changeEach(lacking, {
      change: (matter) => save(matter, { assignedUsers: [...team(matter), id] }),
      restore: (matter) => save(matter, { assignedUsers: team(matter) }),
      done: (count) => `${name} is assigned to ${counted(count, 'case')}`,
    });
  };
  const move = () => {
    const matters = selected(ids);
    onDone();
    void changeEach(matters, {
      change: (matter) => save(matter, { statusType: isArchive ? 'Active' : 'Archive' }),
      restore: (matter) => save(matter, { statusType: matter.statusType }),
      done: (count) => `${counted(count, 'case')} ${isArchive ? 'reopened' : 'archived'}`,
    });
  };
  return (
    <>
      <AssignSelect label="Assign someone" disabled={isNone} onAssign={assign} />
      <Button disabled={isNone} onClick={move}>
        {isArchive ? 'Reopen' : 'Archive'}
      </Button>
    </>
  );
}

/** The selected cases as they are before the act. */
function selected(ids: ReadonlySet<string>): Case[] {
  const { entities } = store.getState().cases;
  return [...ids].map((id) => entities[id]).filter((matter) => matter !== undefined);
}

async function save({ id }: Case, body: CasePatch): Promise<void> {
  store.dispatch(caseReceived((await changeCaseQuietly({ params: { id }, body })).case));
}
