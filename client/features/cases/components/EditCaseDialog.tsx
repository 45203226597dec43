import { type SubmitEvent, useCallback, useEffect, useMemo, useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { Case } from '@matterdesk/contract/cases.ts';
import { fullName } from '../../../core/full-name.ts';
import { LeaveQuestion } from '../../../core/LeaveQuestion.tsx';
import { useOthersChanges } from '../../../core/others-changes.ts';
import { usePeople } from '../../../core/people.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
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
  const latest = useLatest(forms, matter);
  const { isBusy, change } = useChangeCase(opened.id);
  const { people } = usePeople();
  const isAlone = people.filter(({ active }) => active).length === 1;
  const remarkOnSol = (sol: string) => remarkOnChange(opened, sol, isAlone);

  const save = async (values: CaseStep & PartiesStep) => {
    const patch = changesOf(latest, values);
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

/** Fills the fields that are as they were with what others save while the dialog is open. */
function useLatest({ caseForm, partiesForm }: Forms, matter: Case) {
  const latest = useMemo(() => toForm(matter), [matter]);
  const [own, parties] = useMemo(() => {
    const { clientInfo, opposingCounselInfo, ...rest } = latest;
    return [rest, { clientInfo, opposingCounselInfo }];
  }, [latest]);
  useOthersChanges(caseForm, own, {
    assignedUsers: matter.assignedUsers.map(fullName).join(', '),
  });
  useOthersChanges(partiesForm, parties);
  return latest;
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
