import ArrowLeft from 'lucide-react/icons/arrow-left';
import ArrowRight from 'lucide-react/icons/arrow-right';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Case } from '@matterdesk/contract/cases.ts';
import { CallError } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { firstControl } from '../../../ui/first-control.ts';
import { CaseFields } from './CaseFields.tsx';
import { PartyFields } from './PartyFields.tsx';
import { showRefusal, stepOfRefusal, useCaseForms } from './use-case-forms.ts';
import { useOpenCase } from './use-open-case.ts';
import { useProposedDays } from './use-proposed-days.ts';

const SUBTITLES = {
  1: 'Step 1 of 2: the case and its team',
  2: 'Step 2 of 2: client and opposing counsel',
};

interface NewCaseDialogProps {
  onClose: () => void;
  onOpened: (opened: Case) => void;
}

/** 'Add New Case' in two steps; the input stays until the case is created or the dialog closed. */
export function NewCaseDialog({ onClose, onOpened }: NewCaseDialogProps) {
  const forms = useCaseForms();
  const { caseForm, partiesForm } = forms;
  const [step, setStep] = useState<1 | 2>(1);
  const openCase = useOpenCase();
  useProposedDays(caseForm);
  const fields = useFocusOnStep(step);

  const toParties = caseForm.handleSubmit(() => setStep(2));
  const open = partiesForm.handleSubmit(async (parties) => {
    // The first step was validated on Next, and cannot change since.
    await caseForm.handleSubmit(async (own) => {
      try {
        onOpened(await openCase({ ...own, ...parties }));
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
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
      onClose={onClose}
      title="Add New Case"
      subtitle={SUBTITLES[step]}
      size="large"
      step={{ at: step, of: 2 }}
      isDirty={caseForm.formState.isDirty || partiesForm.formState.isDirty}
      onSubmit={handleSubmit}
      footer={
        <>
          <DialogClose />
          {step === 1 ? (
            <Button key="next" type="submit" variant="primary" iconAfter={ArrowRight}>
              Next
            </Button>
          ) : (
            <span className="flex gap-2">
              <Button icon={ArrowLeft} onClick={() => setStep(1)}>
                Back
              </Button>
              <Button
                key="add"
                type="submit"
                variant="primary"
                busy={partiesForm.formState.isSubmitting}
                // The second click of a double click on Next lands here.
                onClick={(event) => event.detail > 1 && event.preventDefault()}
              >
                Add New Case
              </Button>
            </span>
          )}
        </>
      }
    >
      <div ref={fields}>
        {step === 1 ? <CaseFields form={caseForm} /> : <PartyFields form={partiesForm} />}
      </div>
    </Dialog>
  );
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
