import { type SubmitEvent, useState } from 'react';
import { TEXTS_MAX } from '@matterdesk/contract/stream.ts';
import type { CaseField } from '../../../core/slots.ts';
import { fileTexts, unfileTexts } from '../../../core/text-filing.ts';
import { succeeds, useAttempt } from '../../../core/use-attempt.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { toast } from '../../../ui/toast-store.ts';

interface FilingBarProps {
  chosen: ReadonlySet<string>;
  /** All texts on the page, the oldest first. */
  all: readonly string[];
  /** The contact's case. */
  proposed: Option | null;
  caseField: CaseField;
  onChoose: (ids: readonly string[]) => void;
  onClose: () => void;
}

/** Takes the place of the composer while texts are chosen: where they go, and who will read them there. */
export function FilingBar({ chosen, all, proposed, caseField, onChoose, onClose }: FilingBarProps) {
  const CaseInput = caseField;
  const [picked, setPicked] = useState<Option | null>();
  const matter = picked === undefined ? proposed : picked;
  const [isTried, setIsTried] = useState(false);
  const { isBusy, attempt } = useAttempt();
  const newest = all.slice(-TEXTS_MAX);
  const isAll = newest.every((id) => chosen.has(id));
  const missing = missingOf(chosen.size);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (missing !== undefined || !matter) return;
    const body = { case: matter.id, messageIds: [...chosen] };
    const isFiled = await attempt(body, async () =>
      report(await fileTexts({ body }), body, matter),
    );
    if (isFiled) onClose();
  };
  return (
    <form
      noValidate
      aria-label="File to case"
      className="flex flex-none flex-col gap-2 border-t border-line bg-sunken px-4 py-3 sm:px-6"
      onSubmit={(event) => void submit(event)}
    >
      <p role="status" className="flex flex-wrap items-center gap-x-3">
        <strong className={cx('font-medium', isTried && missing !== undefined && 'text-red')}>
          {(isTried && missing) || chosenInWords(chosen.size)}
        </strong>
        <button
          type="button"
          className="link pointer-coarse:min-h-6"
          onClick={() => onChoose(isAll ? [] : newest)}
        >
          {isAll ? 'None' : all.length > TEXTS_MAX ? `The newest ${TEXTS_MAX}` : 'All'}
        </button>
      </p>
      <Field
        label="Case"
        error={isTried && !matter ? 'Please select any case' : undefined}
        hint="Everyone with access to the case will read these texts there."
      >
        <CaseInput value={matter} onChange={setPicked} />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          File to case
        </Button>
      </div>
    </form>
  );
}

function chosenInWords(count: number): string {
  return count === 0 ? 'Choose the texts to file' : `${counted(count, 'text')} chosen`;
}

/** Why so many texts cannot be filed. */
function missingOf(count: number): string | undefined {
  if (count === 0) return 'Please choose a text first';
  return count > TEXTS_MAX ? `Please choose at most ${TEXTS_MAX} texts at once` : undefined;
}

type Batch = { case: string; messageIds: string[] };

/** Says how many texts are new in the matter. Those that were there before would stay, so only a whole batch is undone. */
function report({ filed }: { filed: number }, body: Batch, matter: Option) {
  const before = body.messageIds.length - filed;
  if (filed === 0) return toast.plain('Already filed there');
  const words = `${counted(filed, 'text')} filed to ${matter.label}`;
  if (before > 0)
    return toast.plain(`${words}, ${before} ${before === 1 ? 'was' : 'were'} there already`);
  return toast.plain(words, {
    label: 'Undo',
    run: () => void succeeds(unfileTexts({ body })),
  });
}
