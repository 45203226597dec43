import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Letter, LetterSchema } from '@matterdesk/contract/intake-routes.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { CallError } from '../../../api.ts';
import { TextAreaField, TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import type { HandedDraft } from '../../../core/handed-draft.ts';
import { paths } from '../../../core/paths.ts';
import { useRead } from '../../../core/use-read.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { draftLetter, readLetter } from '../api.forms.ts';
import { readSettings } from '../api.ts';

interface LetterDialogProps {
  /** With an email address. */
  intake: Intake;
  onClose: () => void;
}

/** A letter to the person who asks: one of the firm's, changed where it must be, and opened as a draft in Emails. */
export function LetterDialog({ intake, onClose }: LetterDialogProps) {
  const { id, name, number, email } = intake;
  const navigate = useNavigate();
  const { data, isFailed, refresh } = useRead(readSettings);
  const blank = { subject: '', text: '' };
  const saving = useSave(LetterSchema, blank, async (letter, key) => {
    const input = { params: { id }, body: letter, idempotencyKey: key };
    const { draftId } = await draftLetter(input);
    const state: HandedDraft = { to: email ?? '', ...letter };
    await navigate(paths.draft(draftId), { state });
  });
  const { form } = saving;
  const { chosen, isFilling, choose } = useChoice(id, (letter) => form.reset(letter));
  const names = (data?.settings.templates ?? []).map((template) => template.name);
  return (
    <FormDialog
      saving={{ ...saving, isBusy: saving.isBusy || isFilling }}
      title="Write letter"
      subtitle={`${name} · intake ${number}`}
      submit="Save and open in Emails"
      disabled={!data}
      onClose={onClose}
    >
      {data ? (
        <>
          <Field
            label="Letter"
            hint={
              names.length === 0
                ? 'Admins add letters under Intakes, Forms.'
                : 'Another letter replaces what is written below.'
            }
            className="sm:col-span-2"
          >
            <Select
              placeholder="Select a letter"
              options={names}
              value={chosen}
              onChange={({ target }) => void choose(target.value)}
            />
          </Field>
          <TextField form={form} name="subject" label="Subject" wide />
          <TextAreaField
            form={form}
            name="text"
            label="Text"
            hint="Nothing is sent before you send it in Emails."
            rows={12}
            wide
          />
        </>
      ) : isFailed ? (
        <ErrorState title="Couldn’t load the letters" onRetry={refresh} />
      ) : (
        <Skeleton className="h-64 w-full sm:col-span-2" />
      )}
    </FormDialog>
  );
}

/** The chosen letter of the firm. The newer of two choices counts, even if its reply arrives first. */
function useChoice(id: string, onFilled: (letter: Letter) => void) {
  const [chosen, setChosen] = useState('');
  const [isFilling, setIsFilling] = useState(false);
  const newest = useRef('');
  const choose = async (template: string) => {
    newest.current = template;
    setChosen(template);
    setIsFilling(template !== '');
    if (template === '') return;
    try {
      const letter = await readLetter(id, template);
      if (newest.current === template) onFilled(letter);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (newest.current === template) setChosen('');
    }
    if (newest.current === template) setIsFilling(false);
  };
  return { chosen, isFilling, choose };
}
