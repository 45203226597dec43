// The dialog that says who sees a matter, and changes it.

import { useState, type SubmitEvent } from 'react';
import type { Access, WalledKind } from '@matterdesk/contract/access.ts';
import { CallError } from '../../../api.ts';
import type { MatterAccessProps } from '../../../core/matter-access.ts';
import { usePeople } from '../../../core/people.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { counted, fullMoment } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { changeAccess } from '../api.ts';
import { useSelf } from '../hooks/use-self.ts';
import {
  countChanges,
  isComplete,
  toChange,
  toDraft,
  type Draft,
  describeAfter,
  describeEntry,
} from '../rules.ts';
import { accessTo } from '../slice.ts';
import { AccessForm } from './AccessForm.tsx';

/** 'Access'. Loads who sees the matter before anything can be changed. */
export function AccessDialog(props: MatterAccessProps) {
  const { kind, id, name, onClose } = props;
  const { data: access, failure, refresh } = useResource(accessTo, { kind, id });
  if (access) return <Editor key={access.updatedAt} {...props} access={access} />;
  return (
    <Dialog open onClose={onClose} title="Access" subtitle={name} size="wide">
      {failure ? (
        <ErrorState title="Couldn’t load the access" detail={failure.message} onRetry={refresh} />
      ) : (
        <Skeleton className="h-80" />
      )}
    </Dialog>
  );
}

function Editor(props: MatterAccessProps & { access: Access }) {
  const { kind, id, name, access, onSaved, onClose } = props;
  const dispatch = useAppDispatch();
  const { canChange } = useSelf();
  const [draft, setDraft] = useState<Draft>(() => toDraft(access));
  const [isBusy, setIsBusy] = useState(false);
  const changes = countChanges(draft, access);
  const save = async () => {
    setIsBusy(true);
    try {
      await changeAccess({ kind, id }, toChange(draft, access));
      dispatch(accessTo.invalidated({ kind, id }));
      onSaved();
      toast.success('Access saved');
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // Someone else has changed it: the new state is shown, and the toast says so.
      if (error.status === 409) dispatch(accessTo.invalidated({ kind, id }));
    } finally {
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isComplete(draft, access)) void save();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Access"
      subtitle={name}
      size="wide"
      isDirty={changes > 0}
      onSubmit={handleSubmit}
      footer={
        <>
          <DialogClose />
          {canChange && (
            <span className="flex items-center gap-3">
              {changes > 0 && (
                <span className="text-sm text-ink-2">{counted(changes, 'change')}</span>
              )}
              <Button
                type="submit"
                variant="primary"
                busy={isBusy}
                disabled={!isComplete(draft, access)}
              >
                Save access
              </Button>
            </span>
          )}
        </>
      }
    >
      <div className="grid gap-6 md:grid-cols-[minmax(0,1fr)_18rem]">
        <AccessForm
          kind={kind}
          access={access}
          draft={draft}
          onChange={setDraft}
          canChange={canChange}
        />
        <AfterSaving kind={kind} access={access} draft={draft} />
      </div>
    </Dialog>
  );
}

interface AfterSavingProps {
  kind: WalledKind;
  access: Access;
  draft: Draft;
}

/** The effect of saving, in sentences, and the history of changes. */
function AfterSaving({ kind, access, draft }: AfterSavingProps) {
  const self = useSelf().id;
  const { people } = usePeople();
  const active = people.filter((person) => person.active);
  const sentences = describeAfter(draft, { kind, access, active, self });
  return (
    <div className="grid content-start gap-5 border-line max-md:border-t max-md:pt-5 md:border-l md:pl-6">
      <section aria-live="polite">
        <h3 className="mb-1.5 font-semibold">After saving</h3>
        {sentences.map((sentence) => (
          <p key={sentence} className="mb-2 font-serif">
            {sentence}
          </p>
        ))}
      </section>
      <section>
        <h3 className="mb-1.5 font-semibold">History</h3>
        {access.history.length === 0 && (
          <p className="text-sm text-ink-2">Access has not changed yet.</p>
        )}
        <ol className="grid gap-2.5">
          {access.history.map((entry) => (
            <li key={`${entry.at} ${entry.action}`} className="text-sm">
              <p className="wrap-anywhere">{describeEntry(entry)}</p>
              <p className="text-note text-ink-2">{fullMoment(entry.at)}</p>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
