import { type SubmitEvent, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { Case } from '@matterdesk/contract/cases.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { changesOf, remarkOnChange } from '../rules.ts';
import { CaseFields } from './CaseFields.tsx';
import { PartyFields } from './PartyFields.tsx';
import {
  showRefusal,
  isBlank,
  toForm,
  useCaseForms,
  type CaseStep,
  type PartiesStep,
} from '../hooks/use-case-forms.ts';
import { usePeople } from '../../../core/people.ts';
import { useChangeCase } from '../hooks/use-change-case.ts';

/** 'Edit case'. Sends only the changed fields, since other users may edit the case too. */
export function EditCaseDialog({ matter, onClose }: { matter: Case; onClose: () => void }) {
  const [opened] = useState(matter);
  const start = toForm(opened);
  // A case that came without counsel stays so until someone knows them.
  const isCounselKnown = !isBlank(start.opposingCounselInfo);
  const forms = useCaseForms(start, { isCounselKnown });
  const { caseForm, partiesForm } = forms;
  const { isBusy, change } = useChangeCase(opened.id);
  const { people } = usePeople();
  const isAlone = people.filter(({ active }) => active).length === 1;
  const remarkOnSol = (sol: string) => remarkOnChange(opened, sol, isAlone);

  const save = async (values: CaseStep & PartiesStep) => {
    const patch = changesOf(start, values);
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
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit case"
      subtitle={opened.caseName}
      size="large"
      isDirty={caseForm.formState.isDirty || partiesForm.formState.isDirty}
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
      <div className="grid gap-6">
        <CaseFields form={caseForm} already={opened.assignedUsers} remarkOnSol={remarkOnSol} />
        <PartyFields form={partiesForm} isCounselKnown={isCounselKnown} />
      </div>
    </Dialog>
  );
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
