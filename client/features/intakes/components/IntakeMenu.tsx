import Ellipsis from 'lucide-react/icons/ellipsis';
import { useState } from 'react';
import { openStages, type Intake, type IntakePatch } from '@matterdesk/contract/intakes.ts';
import { CallError } from '../../../api.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { matterLost } from '../../../core/matter-lost.ts';
import type { MatterAccess } from '../../../core/slots.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { type MenuEntry, MenuButton } from '../../../ui/Menu.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { changeIntake, eraseIntake } from '../api.ts';
import { stageNames } from '../rules.ts';

const IntakeDialog = lazyNamed(() => import('./IntakeDialog.tsx'), 'IntakeDialog');

const ConsultationDialog = lazyNamed(
  () => import('./ConsultationDialog.tsx'),
  'ConsultationDialog',
);

const ConfirmDialog = lazyNamed(() => import('../../../ui/ConfirmDialog.tsx'), 'ConfirmDialog');

const LetterDialog = lazyNamed(() => import('./LetterDialog.tsx'), 'LetterDialog');

interface IntakeMenuProps {
  intake: Intake;
  accessDialog: MatterAccess;
  /** Leads to the conflict check, which a stage has to wait for. */
  onNeedsCheck: () => void;
}

/** Actions on an intake besides answering and closing it. */
export function IntakeMenu(props: IntakeMenuProps) {
  const { intake, accessDialog: AccessDialog, onNeedsCheck } = props;
  const dispatch = useAppDispatch();
  const isAdmin = useAppSelector(({ user }) => user.current?.role === 'admin');
  const [dialog, setDialog] = useState<
    'edit' | 'letter' | 'consultation' | 'access' | 'erase' | null
  >(null);
  const close = () => setDialog(null);
  const { id, stage, email, isSpam, erasedAt, check } = intake;
  const isOpen = openStages.some((open) => open === stage);
  const save = (body: IntakePatch) => void ignoreRefusal(changeIntake({ params: { id }, body }));
  const moveTo = (to: (typeof openStages)[number]) => {
    const isChecked = check !== null && check.outcome !== null;
    if (to !== 'consultScheduled') save({ stage: to });
    else if (isChecked) setDialog('consultation');
    if (isChecked || (to !== 'consultScheduled' && to !== 'conflictCheck')) return;
    toast.plain('Finish the conflict check first');
    onNeedsCheck();
  };
  const entries: MenuEntry[] = [
    { label: 'Edit', onSelect: () => setDialog('edit') },
    ...(email === null ? [] : [{ label: 'Write letter', onSelect: () => setDialog('letter') }]),
    ...(isOpen
      ? openStages.map((to) => ({
          label: `Move to ${stageNames[to]}`,
          current: to === stage,
          onSelect: () => moveTo(to),
        }))
      : []),
    { label: 'Access', onSelect: () => setDialog('access') },
    { label: isSpam ? 'Not spam' : 'Mark as spam', onSelect: () => save({ isSpam: !isSpam }) },
    ...(isAdmin
      ? [{ label: 'Erase', tone: 'red' as const, onSelect: () => setDialog('erase') }]
      : []),
  ];
  if (erasedAt !== undefined) return null;
  return (
    <>
      <MenuButton
        label="More"
        icon={Ellipsis}
        variant="quiet"
        size="small"
        heading="Intake"
        entries={entries}
      />
      {dialog === 'edit' && <IntakeDialog intake={intake} onClose={close} onSaved={close} />}
      {dialog === 'letter' && <LetterDialog intake={intake} onClose={close} />}
      {dialog === 'consultation' && <ConsultationDialog intake={intake} onClose={close} />}
      {dialog === 'access' && (
        <AccessDialog
          kind="intakes"
          id={id}
          name={`Intake ${intake.number}: ${intake.name}`}
          onSaved={() => dispatch(matterLost(id))}
          onClose={close}
        />
      )}
      {dialog === 'erase' && (
        <ConfirmDialog
          open
          title="Erase this intake?"
          confirmLabel="Erase"
          onClose={close}
          onConfirm={() => {
            close();
            void ignoreRefusal(eraseIntake({ params: { id } }));
          }}
        >
          The story, answers, notes and files end for good. Names, numbers and dates stay for
          conflict checks.
        </ConfirmDialog>
      )}
    </>
  );
}

/** A refusal has its toast. */
async function ignoreRefusal(saving: Promise<unknown>): Promise<void> {
  await saving.catch((error: unknown) => {
    if (!(error instanceof CallError)) throw error;
  });
}
