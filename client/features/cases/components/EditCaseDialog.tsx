import { type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { Case, CasePatch, NewCase } from '@matterdesk/contract/cases.ts';
import { isRealDay } from '@matterdesk/contract/time.ts';
import { fullName } from '../../../core/full-name.ts';
import { LeaveQuestion } from '../../../core/LeaveQuestion.tsx';
import { usePeople } from '../../../core/people.ts';
import { formatList, humanize } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDay } from '../../../ui/days.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { toast } from '../../../ui/toast-store.ts';
import {
  showRefusal,
  isBlank,
  toForm,
  useCaseForms,
  type CaseInputs,
  type CaseStep,
  type PartiesStep,
} from '../hooks/use-case-forms.ts';
import { useChangeCase } from '../hooks/use-change-case.ts';
import { changesOf, remarkOnChange } from '../rules.ts';
import { CaseFields, PartyFields } from './CaseFields.tsx';

interface EditCaseDialogProps {
  matter: Case;
  /** The dotted path of the field to begin with. */
  first?: string | undefined;
  onClose: () => void;
}

/** 'Edit case'. Sends only the changed fields, since other users may edit the case too. */
export function EditCaseDialog({ matter, first, onClose }: EditCaseDialogProps) {
  const [opened] = useState(matter);
  const mayLack = useCallback((path: string) => opened.incomplete.includes(path), [opened]);
  const start = toForm(opened);
  // A case that came without counsel stays so until someone knows them.
  const isCounselKnown = !isBlank(start.opposingCounselInfo);
  const forms = useCaseForms(start, { isCounselKnown, mayLack });
  const { caseForm, partiesForm } = forms;
  useFirstField(forms, first);
  const latest = useOthersChanges(forms, { matter, start });
  const { isBusy, change } = useChangeCase(opened.id);
  const { people } = usePeople();
  const isAlone = people.filter(({ active }) => active).length === 1;
  const remarkOnSol = (sol: string) => remarkOnChange(opened, sol, isAlone);

  const save = async (values: CaseStep & PartiesStep) => {
    const patch = changesOf(latest.current, values);
    if (Object.keys(patch).length === 0) return onClose();
    const refused = await change(patch);
    if (refused) showRefusal(forms, refused);
    else onClose();
  };
  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Both forms show their errors; the case last, so that the first field of all gets the focus.
    const parties = await valuesOf(partiesForm);
    const own = await valuesOf(caseForm);
    if (own && parties) await save({ ...own, ...parties });
  };
  const isDirty = caseForm.formState.isDirty || partiesForm.formState.isDirty;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit case"
      subtitle={opened.caseName}
      size="large"
      isDirty={isDirty}
      onSubmit={(event) => void handleSubmit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isBusy}>
            Save
          </Button>
        </>
      }
    >
      <LeaveQuestion isDirty={isDirty} isClosedByBack />
      <div className="grid gap-6">
        <CaseFields
          form={caseForm}
          already={opened.assignedUsers}
          remarkOnSol={remarkOnSol}
          mayLack={mayLack}
        />
        <PartyFields form={partiesForm} isCounselKnown={isCounselKnown} mayLack={mayLack} />
      </div>
    </Dialog>
  );
}

/** Focuses the field that the dialog was opened for, once the dialog has put the focus in its first. */
function useFirstField({ caseForm, partiesForm }: Forms, first: string | undefined): void {
  useEffect(() => {
    if (first === undefined) return;
    const wait = requestAnimationFrame(() => {
      if (first.includes('.')) partiesForm.setFocus(first as FieldPath<PartiesStep>);
      else caseForm.setFocus(first as FieldPath<CaseInputs>);
    });
    return () => cancelAnimationFrame(wait);
  }, [caseForm, partiesForm, first]);
}
type Forms = ReturnType<typeof useCaseForms>;

/**
 * Follows what others save while the dialog is open: a field that is as it was takes their value, and one that was
 * changed here shows it beside its own.
 * @returns the values that are saved now
 */
function useOthersChanges(
  { caseForm, partiesForm }: Forms,
  { matter, start }: { matter: Case; start: NewCase },
) {
  const latest = useRef(start);
  useEffect(() => {
    const now = toForm(matter);
    const { own, ofParties } = splitChanges(changesOf(latest.current, now));
    const before = latest.current;
    latest.current = now;
    const replaced = [
      ...own.filter((name) => isReplaced(caseForm, name, { before, now, matter })),
      ...ofParties.filter((name) => isReplaced(partiesForm, name, { before, now, matter })),
    ];
    if (replaced.length > 0)
      toast.plain(`Someone else changed ${formatList(replaced.map(humanize))} meanwhile`);
  }, [caseForm, partiesForm, matter]);
  return latest;
}

type CaseVersions = { before: NewCase; now: NewCase; matter: Case };

/** Whether a field that was changed here was changed by someone else, too; it then says so. */
function isReplaced<Inputs extends FieldValues, Values>(
  form: UseFormReturn<Inputs, unknown, Values>,
  name: string,
  { before, now, matter }: CaseVersions,
): boolean {
  const path = name as FieldPath<Inputs>;
  const entered = JSON.stringify(form.getValues(path));
  const [old, theirs] = [memberAt(before, name), memberAt(now, name)];
  if (entered === JSON.stringify(theirs)) return false;
  if (entered === JSON.stringify(old)) {
    form.resetField(path, { defaultValue: theirs as never });
    return false;
  }
  const people = matter.assignedUsers.map(fullName);
  const words = name === 'assignedUsers' ? people.join(', ') : `${theirs as string | number}`;
  const shown = isRealDay(words) ? formatDay(words) : `“${words}”`;
  const message = `Someone else changed this to ${shown} meanwhile. Saving replaces it.`;
  form.setError(path, { type: 'meanwhile', message });
  return true;
}

function splitChanges({ clientInfo = {}, opposingCounselInfo = {}, ...own }: CasePatch) {
  const ofParties = Object.entries({ clientInfo, opposingCounselInfo }).flatMap(
    ([party, changes]) => Object.keys(changes ?? {}).map((member) => `${party}.${member}`),
  );
  return { own: Object.keys(own), ofParties };
}

function memberAt(values: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((held, name) => (held as Record<string, unknown> | null)?.[name], values);
}

/** The values of a valid form. */
function valuesOf<Inputs extends FieldValues, Values>(
  form: UseFormReturn<Inputs, unknown, Values>,
) {
  return new Promise<Values | undefined>((resolve, reject) => {
    form
      .handleSubmit(resolve, () => resolve(undefined))()
      .catch(reject);
  });
}
