import LockOpen from 'lucide-react/icons/lock-open';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type EmergencyAccess,
  OPEN_HOURS_MAX,
  type WalledMatter,
} from '@matterdesk/contract/access.ts';
import { NumberField, TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { openMatter } from '../api.ts';
import { walledMatters } from '../slice.ts';

/** 'Restricted matters', for those who manage walls: their names alone, and emergency access. */
export function WalledMatters({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<WalledMatter | null>(null);
  if (chosen) return <OpenForTime matter={chosen} onClose={() => setChosen(null)} />;
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
  const walled = useResource(walledMatters, 'all');
  const { data, cursor, status, grow } = walled;
  if (!data)
    return (
      <Pending of={walled} what="the matters">
        <Skeleton className="h-40" />
      </Pending>
    );
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

function OpenForTime({ matter, onClose }: { matter: WalledMatter; onClose: () => void }) {
  const navigate = useNavigate();
  const { kind, id } = matter;
  const blank = { reason: '', hours: HOURS };
  const saving = useSave<EmergencyAccess, EmergencyAccess>(
    null,
    blank,
    async ({ reason, hours }) => {
      await openMatter({ params: { kind, id }, body: { reason: reason.trim(), hours } });
      await navigate(kind === 'cases' ? paths.caseDetails(id) : paths.intake(id));
    },
  );
  const { form } = saving;
  const { reason, hours } = form.watch();
  const isWhole = Number.isInteger(hours) && hours >= 1 && hours <= OPEN_HOURS_MAX;
  return (
    <FormDialog
      saving={saving}
      title="Open for a time"
      subtitle={matter.name}
      submit={kind === 'cases' ? 'Open the matter' : 'Open the intake'}
      disabled={reason.trim() === '' || !isWhole}
      size="small"
      onClose={onClose}
    >
      <p>Everyone with access is notified at once, and the reason stays in the history.</p>
      <TextField form={form} name="reason" label="Reason" maxLength={500} />
      <NumberField
        form={form}
        name="hours"
        label={`Hours, 1 to ${OPEN_HOURS_MAX}`}
        min={1}
        max={OPEN_HOURS_MAX}
      />
    </FormDialog>
  );
}
