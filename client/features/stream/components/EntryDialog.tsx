import { useCallback } from 'react';
import { type StreamEntry, streamRoutes } from '@matterdesk/contract/stream.ts';
import { MatterField, TextAreaField, TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import type { CaseField } from '../../../core/slots.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useFirm } from '../../../core/use-firm.ts';
import { useRead } from '../../../core/use-read.ts';
import { briefMoment, capitalize, fullMoment } from '../../../core/words.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { formatDay, localDay } from '../../../ui/days.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { SkeletonRows } from '../../../ui/Skeleton.tsx';
import { changeEntry, deleteEntry, moveEntry, readEntry } from '../api.ts';
import { isDayAlone, mentionsIn } from '../rules.ts';
import { AnswerQuote } from './StreamRow.tsx';

interface EntryDialogProps {
  what: 'edit' | 'move' | 'delete' | 'versions';
  /** An id where the entry is not loaded, which only 'versions' shows. */
  entry: StreamEntry | string;
  caseField: CaseField;
  onClose: () => void;
}

export function EntryDialog({ what, entry, caseField, onClose }: EntryDialogProps) {
  if (typeof entry === 'string') return <Versions id={entry} onClose={onClose} />;
  if (what === 'edit') return <EditEntry entry={entry} onClose={onClose} />;
  if (what === 'move') return <MoveEntry entry={entry} caseField={caseField} onClose={onClose} />;
  if (what === 'delete') return <DeleteEntry entry={entry} onClose={onClose} />;
  return <Versions id={entry.id} onClose={onClose} />;
}

type EntryActionProps = { entry: StreamEntry; onClose: () => void };

/** Changes the text of an entry; whom it mentions follows from the text. */
function EditEntry({ entry, onClose }: EntryActionProps) {
  const { people } = usePeople();
  const saving = useSave<{ text: string }, { text: string }>(
    null,
    { text: entry.text },
    async ({ text }) => {
      const known = [...entry.mentions, ...people];
      const mentions = [...new Set(mentionsIn(text, known))];
      await changeEntry({ params: { id: entry.id }, body: { text, mentions } });
      onClose();
    },
  );
  return (
    <FormDialog
      saving={saving}
      title={`Edit ${entry.kind}`}
      subtitle="The earlier text stays under “edited”."
      submit="Save"
      onClose={onClose}
    >
      <TextAreaField form={saving.form} name="text" label="Text" rows={8} wide />
    </FormDialog>
  );
}

/** Moves an entry to another matter, with a reason that both matters show. */
function MoveEntry({ entry, caseField, onClose }: EntryActionProps & { caseField: CaseField }) {
  const saving = useSave(streamRoutes.moveEntry.body, { case: '', reason: '' }, async (body) => {
    await moveEntry({ params: { id: entry.id }, body });
    onClose();
  });
  const { form } = saving;
  const hasFiles = entry.files.length > 0 || entry.answer !== null;
  return (
    <FormDialog
      saving={saving}
      title={`Move this ${entry.kind}`}
      subtitle={`Both matters show that it moved.${hasFiles ? ' Its files stay in this one.' : ''}`}
      submit="Move"
      size="small"
      onClose={onClose}
    >
      <MatterField form={form} name="case" label="To matter" picker={caseField} initial={null} />
      <TextField form={form} name="reason" label="Reason" />
    </FormDialog>
  );
}

function DeleteEntry({ entry, onClose }: EntryActionProps) {
  const { isBusy, attempt } = useAttempt();
  const handleConfirm = async () => {
    await attempt(entry.id, () => deleteEntry({ params: { id: entry.id } }));
    onClose();
  };
  return (
    <ConfirmDialog
      open
      title={`Delete this ${entry.kind}?`}
      confirmLabel="Delete"
      busy={isBusy}
      onClose={onClose}
      onConfirm={() => void handleConfirm()}
    >
      Its text is removed for everyone. The stream still shows who deleted it.
    </ConfirmDialog>
  );
}

/** An entry as it is now, and its earlier texts, the latest first. */
function Versions({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, isFailed } = useRead(useCallback(() => readEntry(id), [id]));
  const { entry, versions } = data ?? {};
  const timeZone = useFirm().data?.timeZone;
  const isDay = entry && timeZone && isDayAlone(entry.at, timeZone);
  return (
    <Dialog
      open
      onClose={onClose}
      title={entry ? capitalize(entry.kind) : 'Entry'}
      {...(entry && {
        subtitle: `${fullName(entry.author)}, ${isDay ? formatDay(localDay(new Date(entry.at))) : fullMoment(entry.at)}`,
      })}
      footer={<DialogClose />}
    >
      {isFailed && <p role="alert">Couldn’t load this entry. It may be in another matter.</p>}
      {!data && !isFailed && <SkeletonRows count={3} className="h-6" />}
      {entry?.answer && (
        <>
          <h3 className="font-semibold wrap-anywhere">{entry.answer.question}</h3>
          <AnswerQuote answer={entry.answer} isWhole />
        </>
      )}
      {entry && (
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {entry.deleted ? 'This entry was deleted.' : entry.text}
        </p>
      )}
      {versions && versions.length > 0 && (
        <>
          <h3 className="mt-5 mb-1.5 font-semibold">Earlier texts</h3>
          <ol className="grid gap-3">
            {versions.toReversed().map(({ text, at, by }) => (
              <li key={at} className="border-t border-line pt-2">
                <p className="text-xs text-ink-3">{`${fullName(by)}, ${briefMoment(at)}`}</p>
                <p dir="auto" className="text-ink-2 whitespace-pre-line wrap-anywhere">
                  {text}
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </Dialog>
  );
}
