import LockOpen from 'lucide-react/icons/lock-open';
import { useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { OPEN_HOURS_MAX, type WalledMatter } from '@matterdesk/contract/access.ts';
import { CallError } from '../../../api.ts';
import { paths } from '../../../core/paths.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { openMatter } from '../api.ts';
import { walledMatters } from '../slice.ts';

/** 'Restricted matters', for those who manage walls: their names alone, and the glass. */
export function WalledMatters({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<WalledMatter | null>(null);
  if (chosen) return <OpenGlass matter={chosen} onClose={() => setChosen(null)} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Restricted matters"
      subtitle="You see their names, not what is in them"
      footer={<DialogClose />}
    >
      <WalledList onChoose={setChosen} />
    </Dialog>
  );
}

function WalledList({ onChoose }: { onChoose: (matter: WalledMatter) => void }) {
  const { data, cursor, failure, status, refresh, grow } = useResource(walledMatters, 'all');
  if (!data && failure)
    return (
      <ErrorState title="Couldn’t load the matters" detail={failure.message} onRetry={refresh} />
    );
  if (!data) return <Skeleton className="h-40" />;
  if (data.matters.length === 0)
    return (
      <EmptyState icon={LockOpen} title="No restricted matters">
        Everyone sees every matter. Restrict one with Access on its page.
      </EmptyState>
    );
  return (
    <>
      <ul>
        {data.matters.map((matter) => (
          <li
            key={matter.id}
            className="flex min-h-11 items-center gap-3 border-b border-line py-1.5"
          >
            <div className="min-w-0 grow">
              <p className="truncate font-medium">{matter.name}</p>
              <p className="text-note text-ink-2 tabular-nums">
                {matter.kind === 'cases' ? matter.number : `Intake ${matter.number}`} ·{' '}
                {matter.mode === 'restricted' ? 'Restricted' : 'Screened'}
              </p>
            </div>
            {matter.mode === 'restricted' && (
              <Button size="small" onClick={() => onChoose(matter)}>
                Open for a time
              </Button>
            )}
          </li>
        ))}
      </ul>
      {cursor !== null && (
        <Button className="mt-3" busy={status === 'growing'} onClick={grow}>
          Show more
        </Button>
      )}
    </>
  );
}

const HOURS = 4;

function OpenGlass({ matter, onClose }: { matter: WalledMatter; onClose: () => void }) {
  const navigate = useNavigate();
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState(String(HOURS));
  const [isBusy, setIsBusy] = useState(false);
  const count = Number(hours);
  const isValid =
    reason.trim() !== '' && Number.isInteger(count) && count >= 1 && count <= OPEN_HOURS_MAX;
  const open = async () => {
    setIsBusy(true);
    try {
      const { kind, id } = matter;
      await openMatter({ params: { kind, id }, body: { reason: reason.trim(), hours: count } });
      void navigate(kind === 'cases' ? paths.caseDetails(id) : paths.intake(id));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isValid) void open();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Open for a time"
      subtitle={matter.name}
      size="small"
      isDirty={reason !== ''}
      onSubmit={handleSubmit}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isBusy} disabled={!isValid}>
            {matter.kind === 'cases' ? 'Open the matter' : 'Open the intake'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>Everyone with access is notified at once, and the reason stays in the history.</p>
        <Field label="Reason">
          <TextInput
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        <Field label={`Hours, 1 to ${OPEN_HOURS_MAX}`}>
          <TextInput
            type="number"
            min={1}
            max={OPEN_HOURS_MAX}
            value={hours}
            onChange={(event) => setHours(event.target.value)}
          />
        </Field>
      </div>
    </Dialog>
  );
}
