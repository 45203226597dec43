import ArrowLeft from 'lucide-react/icons/arrow-left';
import ArrowRight from 'lucide-react/icons/arrow-right';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useWatch } from 'react-hook-form';
import type { Case, NewCase, UnfiledCase } from '@matterdesk/contract/cases.ts';
import type { Accept } from '@matterdesk/contract/intake-acceptance.ts';
import { isRealDay } from '@matterdesk/contract/time.ts';
import { CallError } from '../../../api.ts';
import type { CaseSource } from '../../../core/slots.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { saveToTab, readFromTab } from '../../../core/tab-storage.ts';
import { useIdempotencyKey } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { useToday } from '../../../ui/days.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { firstControl } from '../../../ui/focus.ts';
import { openCase } from '../api.ts';
import {
  type CaseForm,
  type CaseInputs,
  emptyStart,
  isBlank,
  neverEmpty,
  type PartiesForm,
  type PartiesStep,
  showRefusal,
  startOf,
  stepOfRefusal,
  toUnfiled,
  emptyUntilFiled,
  useCaseForms,
} from '../hooks/use-case-forms.ts';
import { proposedDaysOpen } from '../rules.ts';
import { caseReceived } from '../slice.ts';
import { CaseFields, type NameParts, PartyFields } from './CaseFields.tsx';
import { LimitationPeople, peopleOf } from './LimitationPeople.tsx';

const SUBTITLES = {
  1: 'Step 1 of 2: the case and its team',
  2: 'Step 2 of 2: client and opposing counsel',
};

interface NewCaseDialogProps {
  parts?: NameParts;
  /** Fills the form, opens the case, and lets counsel stay unknown. */
  source?: CaseSource;
  onClose: () => void;
  onOpened: (opened: Case) => void;
}

/** 'Add New Case' in two steps. What was typed is kept for the tab until the case is created or it is discarded. */
export function NewCaseDialog(props: NewCaseDialogProps) {
  const { source } = props;
  const today = useToday();
  const [start] = useState(() =>
    source
      ? startOf(source.known)
      : emptyStart({ statusType: 'Active', dateOfOpening: today, daysOpen: 0 }),
  );
  const { kept, forget } = useKeptCase(source?.intakeId, start);
  return (
    <NewCaseForm
      // Discarding starts with new fields.
      key={kept ? 'kept' : 'new'}
      {...props}
      start={kept?.values ?? start}
      firstStep={kept?.step ?? 1}
      wasNotFiled={kept?.notFiled ?? false}
      onDiscard={kept ? forget : undefined}
    />
  );
}

interface NewCaseFormProps extends NewCaseDialogProps {
  start: CaseInputs & PartiesStep;
  firstStep: 1 | 2;
  wasNotFiled: boolean;
  /** Starts over; only for what was kept from before. */
  onDiscard: (() => void) | undefined;
}

function NewCaseForm({ parts, source, start, onDiscard, ...props }: NewCaseFormProps) {
  const today = useToday();
  const [notFiled, setNotFiled] = useState(props.wasNotFiled);
  const mayLack = notFiled ? emptyUntilFiled : neverEmpty;
  const forms = useCaseForms(start, { isCounselKnown: !source, mayLack });
  const { caseForm, partiesForm } = forms;
  const [step, setStep] = useState<1 | 2>(props.firstStep);
  const stopKeeping = useDraftKeeping(forms, { step, notFiled, intakeId: source?.intakeId });
  const openCase = useOpenCase(source);
  const { contactsFor, pick } = useChosenContacts();
  useProposedDays(caseForm);
  const fields = useFocusOnStep(step);

  const [keptSol, setKeptSol] = useState<string>();
  const toParties = caseForm.handleSubmit(({ SOL }) => {
    if (SOL === '' || SOL >= today || SOL === keptSol) return setStep(2);
    // A past date is more often a slip than meant, so it takes a second Next.
    setKeptSol(SOL);
    return caseForm.setFocus('SOL');
  });
  const limitation = useLimitationPeople(caseForm);
  const open = partiesForm.handleSubmit(async (parties) => {
    // The first step was validated on Next, and cannot change since.
    await caseForm.handleSubmit(async (own) => {
      try {
        const known = notFiled ? toUnfiled(own, parties) : { ...own, ...parties };
        const people = own.SOL === '' ? {} : { limitation: limitation.people };
        const opened = await openCase({ ...known, ...contactsFor(parties), ...people });
        stopKeeping();
        props.onOpened(opened);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        limitation.refuse(error);
        flushSync(() => setStep(stepOfRefusal(error) ?? 2));
        showRefusal(forms, error);
      }
    })();
  });
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) =>
    void (step === 1 ? toParties(event) : open(event));

  return (
    <Dialog
      open
      onClose={() => {
        stopKeeping();
        props.onClose();
      }}
      title="Add New Case"
      subtitle={source ? `${source.title} · ${SUBTITLES[step]}` : SUBTITLES[step]}
      aside={
        step === 1 && (
          <NotFiledSwitch
            checked={notFiled}
            onChange={(isOn) => {
              setNotFiled(isOn);
              // Fields that were required may no longer be.
              caseForm.clearErrors();
            }}
          />
        )
      }
      size="large"
      step={{ at: step, of: 2 }}
      isDirty={
        onDiscard !== undefined || caseForm.formState.isDirty || partiesForm.formState.isDirty
      }
      onSubmit={handleSubmit}
      footer={
        <>
          <DialogClose />
          <StepButtons
            step={step}
            isBusy={partiesForm.formState.isSubmitting}
            onBack={() => setStep(1)}
          />
        </>
      }
    >
      <div ref={fields}>
        {onDiscard && <KeptNote onDiscard={onDiscard} />}
        <RequiredNote />
        {step === 1 ? (
          <CaseFields
            form={caseForm}
            mayLack={mayLack}
            remarkOnSol={(sol) =>
              sol === keptSol
                ? 'This date is in the past. Choose Next again to keep it.'
                : undefined
            }
          />
        ) : (
          <div className="grid gap-6">
            <PartyFields
              form={partiesForm}
              mayLack={mayLack}
              parts={parts}
              intakeId={source?.intakeId}
              isCounselKnown={!source}
              onPick={pick}
            />
            {limitation.fields.sol !== '' && <LimitationPeople {...limitation.fields} />}
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** The people of the statute date, who follow the team until they are chosen. */
function useLimitationPeople({ getValues }: CaseForm) {
  const readerId = useAppSelector(({ user }) => user.current?.id ?? '');
  const [chosen, setChosen] = useState<NonNullable<NewCase['limitation']>>({});
  const [error, setError] = useState<string>();
  const { SOL: sol, assignedUsers: team } = getValues();
  return {
    people: peopleOf({ team, readerId, chosen }),
    refuse: ({ errors }: CallError) =>
      setError(errors.find(({ path }) => path.startsWith('limitation.'))?.message),
    fields: {
      sol,
      team,
      readerId,
      chosen,
      error,
      onChoose: (people: NonNullable<NewCase['limitation']>) => {
        setError(undefined);
        setChosen(people);
      },
    },
  };
}

interface StepButtonsProps {
  step: 1 | 2;
  isBusy: boolean;
  onBack: () => void;
}

function StepButtons({ step, isBusy, onBack }: StepButtonsProps) {
  if (step === 1)
    return (
      <Button key="next" type="submit" variant="primary" iconAfter={ArrowRight}>
        Next
      </Button>
    );
  return (
    <span className="flex gap-2">
      <Button icon={ArrowLeft} onClick={onBack}>
        Back
      </Button>
      <Button
        key="add"
        type="submit"
        variant="primary"
        busy={isBusy}
        // The second click of a double click on Next lands here.
        onClick={(event) => event.detail > 1 && event.preventDefault()}
      >
        Add New Case
      </Button>
    </span>
  );
}

interface NotFiledSwitchProps {
  checked: boolean;
  onChange: (isOn: boolean) => void;
}

/** Lets all but a name, a type and the client wait. */
function NotFiledSwitch({ checked, onChange }: NotFiledSwitchProps) {
  return (
    <label className="flex min-h-6 flex-none cursor-pointer items-center gap-2 text-sm pointer-coarse:min-h-11">
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="peer sr-only"
      />
      <span
        aria-hidden="true"
        className="relative h-5 w-9 flex-none rounded-full bg-ink-3 outline-offset-2 outline-accent transition-colors after:absolute after:top-0.5 after:left-0.5 after:size-4 after:rounded-full after:bg-surface after:transition-transform peer-checked:bg-accent peer-checked:after:translate-x-4 peer-focus-visible:outline-2"
      />
      Not filed yet
    </label>
  );
}

/** Says that the fields hold what was typed before a reload or on the way through other pages. */
function KeptNote({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p
      role="status"
      className="mb-4 flex flex-wrap items-center justify-between gap-2 rounded-control border border-line bg-paper px-3 py-2 text-sm"
    >
      This is what you typed earlier in this tab.
      <Button size="small" onClick={onDiscard}>
        Discard and start over
      </Button>
    </p>
  );
}

function RequiredNote() {
  return (
    <p className="mb-3 text-note text-ink-3">
      Fields with <span className="text-red">*</span> are required.
    </p>
  );
}

const memberOf = { clientInfo: 'client', opposingCounselInfo: 'opposingCounsel' } as const;

/** Existing contacts that were chosen, which count as long as the name stays theirs. */
function useChosenContacts() {
  const chosen = useRef<Partial<Record<keyof PartiesStep, { id: string; name: string }>>>({});
  const pick = (member: keyof PartiesStep, { id, name }: { id: string; name: string }) => {
    chosen.current[member] = { id, name };
  };
  const contactsFor = (parties: PartiesStep): Pick<NewCase, 'contacts'> => {
    const kept = (['clientInfo', 'opposingCounselInfo'] as const).flatMap((member) => {
      const contact = chosen.current[member];
      return contact?.name === parties[member].name ? [[memberOf[member], contact.id]] : [];
    });
    return kept.length > 0 ? { contacts: Object.fromEntries(kept) as NewCase['contacts'] } : {};
  };
  return { contactsFor, pick };
}

/** Focuses the first field on changing steps; the dialog does so on opening. */
function useFocusOnStep(step: number) {
  const fields = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    firstControl(fields.current)?.focus();
  }, [step]);
  return fields;
}

/** Proposes the days since the opening date until the user enters a number. */
function useProposedDays({ control, getValues, setValue, formState }: CaseForm): void {
  const today = useToday();
  const dateOfOpening = useWatch({ control, name: 'dateOfOpening' });
  const proposed = useRef(getValues('daysOpen'));
  const isChecked = formState.isSubmitted;
  useEffect(() => {
    const now = getValues('daysOpen');
    if ((now !== null && now !== proposed.current) || !isRealDay(dateOfOpening)) return;
    proposed.current = proposedDaysOpen(dateOfOpening, today);
    setValue('daysOpen', proposed.current, { shouldDirty: true, shouldValidate: isChecked });
  }, [dateOfOpening, today, isChecked, getValues, setValue]);
}

type NewMatter = (NewCase & { notFiled?: false }) | UnfiledCase;

/** Creates a case once, even when sent again; the store has it before the promise resolves. */
function useOpenCase(source?: CaseSource) {
  const dispatch = useAppDispatch();
  const withKey = useIdempotencyKey();
  /** @throws CallError after its toast */
  return async (body: NewMatter): Promise<Case> => {
    const opened = await withKey(body, (key) =>
      source ? source.open(ofSource(body), key) : openCase({ body, idempotencyKey: key }),
    );
    dispatch(caseReceived(opened.case));
    return opened.case;
  };
}

/** Counsel may be unknown when a case comes from elsewhere. */
function ofSource(body: NewMatter): Accept {
  if (body.notFiled === true) return body;
  const { opposingCounselInfo: counsel } = body;
  return { ...body, opposingCounselInfo: isBlank(counsel) ? null : counsel };
}

/** The typed values of 'Add New Case', and the step it was left at. */
type KeptCase = { values: CaseInputs & PartiesStep; step: 1 | 2; notFiled: boolean };

const keyOf = (intakeId: string | undefined) => `new-case-${intakeId ?? 'own'}`;

/** Keeps a case that was not added for this tab, through reloads and other pages. */
function useKeptCase(intakeId: string | undefined, start: CaseInputs & PartiesStep) {
  const [kept, setKept] = useState(() => readKept(readFromTab(keyOf(intakeId)), start));
  const forget = () => {
    saveToTab(keyOf(intakeId), null);
    setKept(null);
  };
  return { kept, forget };
}

type Forms = { caseForm: CaseForm; partiesForm: PartiesForm };

/** Keeps each change of the forms, until `stop` is called. */
function useDraftKeeping(
  { caseForm, partiesForm }: Forms,
  { step, notFiled, intakeId }: Omit<KeptCase, 'values'> & { intakeId: string | undefined },
) {
  const isStopped = useRef(false);
  const before = useRef<string>(undefined);
  useEffect(() => {
    const keep = () => {
      const values = { ...caseForm.getValues(), ...partiesForm.getValues() };
      const now: KeptCase = { values, step, notFiled };
      before.current ??= JSON.stringify(now);
      if (isStopped.current || JSON.stringify(now) === before.current) return;
      saveToTab(keyOf(intakeId), now);
    };
    // The step and the switch are kept without waiting for the next change of a field.
    keep();
    const subscriptions = [caseForm.watch(keep), partiesForm.watch(keep)];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [caseForm, partiesForm, step, notFiled, intakeId]);
  return () => {
    isStopped.current = true;
    saveToTab(keyOf(intakeId), null);
  };
}

/** Null for what an earlier version kept in another shape. */
function readKept(found: unknown, start: CaseInputs & PartiesStep): KeptCase | null {
  const { values, step, notFiled = false } = (found ?? {}) as Partial<KeptCase>;
  if (!values || (step !== 1 && step !== 2)) return null;
  return hasShape(values, start) ? { values, step, notFiled } : null;
}

function hasShape(value: object, start: object): boolean {
  return Object.entries(start).every(([name, expected]: [string, unknown]) => {
    const held: unknown = (value as Record<string, unknown>)[name];
    if (typeof expected === 'string') return typeof held === 'string';
    if (Array.isArray(expected)) return Array.isArray(held);
    if (typeof expected !== 'object' || expected === null) return held !== undefined;
    return typeof held === 'object' && held !== null && hasShape(held, expected);
  });
}
