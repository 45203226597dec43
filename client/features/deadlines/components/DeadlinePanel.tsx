import Ellipsis from 'lucide-react/icons/ellipsis';
import Flag from 'lucide-react/icons/flag';
import X from 'lucide-react/icons/x';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Person } from '@matterdesk/contract/cases.ts';
import type {
  Deadline,
  DeadlineEntry,
  DeadlineWithHistory,
} from '@matterdesk/contract/deadlines.ts';
import { CallError } from '../../../api.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { fullName } from '../../../core/full-name.ts';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useFirm } from '../../../core/use-firm.ts';
import { useResource } from '../../../core/use-resource.ts';
import { briefMoment, distanceInWords } from '../../../core/words.ts';
import { buttonClass, Button, IconButton } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { cx } from '../../../ui/cx.ts';
import { daysBetween, formatDay, useDayIn } from '../../../ui/days.ts';
import { Field } from '../../../ui/Field.tsx';
import { type MenuEntry, MenuButton } from '../../../ui/Menu.tsx';
import { PanelPart } from '../../../ui/PanelPart.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { decideChange, refreshDeadline, verifyDate, acknowledge } from '../api.ts';
import {
  type NextStep,
  nextStepOf,
  type ActName,
  dateAuthorOf,
  entryInWords,
  proposedDate,
  type Reader,
  sourceOf,
  timeInWords,
  waitsForDate,
  waitsForDecision,
  actOf,
  mayCorrect,
  SOON_DAYS,
} from '../rules.ts';
import { courtList, deadlineOf } from '../slice.ts';
import { CountLines } from './CountLines.tsx';
import { ExportButton } from './ExportButton.tsx';

interface DeadlinePanelProps {
  id: string;
  /** The act with which it was opened. */
  act?: ActName | undefined;
  reader: Reader;
  today: string;
  onClose: () => void;
}

/** A deadline beside its list: dates and people, what waits for the reader, the count, and history. */
export function DeadlinePanel({ id, act, reader, today, onClose }: DeadlinePanelProps) {
  const { data, status, failure, refresh } = useResource(deadlineOf, id);
  useDocumentKey(({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) onClose();
  });
  return (
    <aside
      aria-label="Deadline"
      className="overflow-y-auto border-line bg-surface max-lg:fixed max-lg:inset-0 max-lg:z-30 lg:w-[29rem] lg:flex-none lg:border-l"
    >
      <div className="flex items-center gap-2 px-6 pt-5">
        {data && <Chips deadline={data} />}
        <span className="ml-auto" />
        {data?.case && <ExportButton caseId={data.case.id} />}
        <IconButton
          label="Close"
          icon={X}
          variant="quiet"
          size="small"
          className="-mr-1.5"
          onClick={onClose}
        />
      </div>
      {data ? (
        // The date is hidden again for each deadline.
        <Content key={id} deadline={data} act={act} reader={reader} today={today} />
      ) : (
        <Pending of={{ failure, status, refresh }} what="the deadline">
          <div className="space-y-4 p-6">
            <Skeleton className="h-7 w-2/3" />
            <Skeleton className="h-14 w-full" />
            <Skeleton className="h-28 w-full" />
          </div>
        </Pending>
      )}
    </aside>
  );
}

function Chips({ deadline }: { deadline: DeadlineWithHistory }) {
  const { hard, status, verified } = deadline;
  return (
    <>
      {hard ? (
        <span className="inline-flex h-[22px] items-center gap-1.5 rounded-full bg-ink px-2 text-xs font-medium text-paper">
          <Flag className="size-3.5" />
          Hard deadline
        </span>
      ) : (
        <Chip icon={Flag}>Soft deadline</Chip>
      )}
      {status === 'open' && hard && (
        <Chip tone={verified ? 'green' : 'amber'}>{verified ? 'Verified' : 'Not verified'}</Chip>
      )}
      {status !== 'open' && <Chip>{status === 'done' ? 'Done' : 'Vacated'}</Chip>}
    </>
  );
}

interface ContentProps {
  deadline: DeadlineWithHistory;
  act: ActName | undefined;
  reader: Reader;
  today: string;
}

function Content({ deadline, act, reader, today }: ContentProps) {
  const author = dateAuthorOf(deadline);
  const isUnverified = deadline.hard && deadline.status === 'open' && !deadline.verified;
  const mayVerify = isUnverified && deadline.enteredBy !== reader.id;
  const [isShown, setIsShown] = useState(false);
  const isAsked = waitsForDate(deadline, reader) || (!deadline.second && reader.editsCalendar);
  const isHidden = mayVerify && isAsked && !isShown;
  const { data: courts } = useResource(courtList, deadline.basis ? 'all' : null);
  const { data: firm } = useFirm();
  const verifier = deadline.second ? fullName(deadline.second) : 'a second person';
  return (
    <>
      <div className="px-6 pt-3 pb-5">
        <h2 className="font-serif text-subtitle font-strong wrap-anywhere">{deadline.title}</h2>
        <p className="text-ink-2">{deadline.case?.caseName ?? 'The firm'}</p>
        <DeadlineFacts deadline={deadline} isHidden={isHidden} onShow={() => setIsShown(true)} />
        {deadline.note !== '' && (
          <p className="mt-3 whitespace-pre-line text-ink-2">{deadline.note}</p>
        )}
        <DeadlineActions deadline={deadline} act={act} reader={reader} />
      </div>
      {mayVerify && <VerifyForm deadline={deadline} author={author} isAsked={isAsked} />}
      {isUnverified && !mayVerify && (
        <PanelPart title="Verification">
          <p className="text-ink-2">Waiting for {verifier}</p>
        </PanelPart>
      )}
      {deadline.pending && (
        <PendingChange deadline={deadline} pending={deadline.pending} reader={reader} />
      )}
      {deadline.basis && !isHidden && (
        <CountLines
          lines={deadline.basis.lines}
          date={deadline.date}
          source={sourceOf(deadline.basis, courts?.rules)}
        />
      )}
      <DeadlineHistory
        history={deadline.history}
        reader={reader}
        isHidden={isHidden}
        next={nextStepOf(deadline, { today, morning: firm?.morning ?? '07:30' })}
      />
    </>
  );
}

/** The history, newest first; each entry seals the one before. */
function DeadlineHistory(props: {
  history: readonly DeadlineEntry[];
  reader: Reader;
  /** Whether dates are kept from the reader. */
  isHidden: boolean;
  next: NextStep | undefined;
}) {
  return (
    <PanelPart
      title="History"
      aside={<span className="text-note text-ink-2">Each entry seals the one before</span>}
    >
      {props.next && !props.isHidden && (
        <p className="mb-2 grid grid-cols-[7.5rem_1fr] gap-x-3 border-b border-line pb-2 text-note font-medium">
          <span>
            Next{props.next.day === null ? '' : `, ${formatDay(props.next.day, 'short')}`}
          </span>
          <span>{props.next.words}</span>
        </p>
      )}
      <ol className="space-y-1.5">
        {props.history.map((entry) => (
          <li key={entry.hash} className="grid grid-cols-[7.5rem_1fr] gap-x-3 text-note">
            <time dateTime={entry.at} className="text-ink-2 tabular-nums">
              {briefMoment(entry.at)}
            </time>
            <span className="wrap-anywhere">
              {entryInWords(entry, props.reader, props.isHidden)}
              {entry.reason && <span className="block text-ink-2">“{entry.reason}”</span>}
            </span>
          </li>
        ))}
      </ol>
    </PanelPart>
  );
}

interface PendingChangeProps {
  deadline: Deadline;
  pending: NonNullable<Deadline['pending']>;
  reader: Reader;
}

const actions = {
  move: 'a move',
  complete: 'to complete it',
  vacate: 'to vacate it',
  reopen: 'to reopen it',
} as const;

/** The change that waits, with its reason, and the decision for those who may make it. */
function PendingChange({ deadline, pending, reader }: PendingChangeProps) {
  const { isBusy, attempt } = useAttempt();
  const [isAccepting, setIsAccepting] = useState(false);
  const isMine = waitsForDecision(deadline, reader);
  const decide = (accept: boolean) => {
    if (isBusy) return;
    setIsAccepting(accept);
    const input = { params: { id: deadline.id }, body: { accept } };
    void attempt(input.body, () => decideChange(input));
  };
  const to = pending.date === null ? actions[pending.action] : formatDay(pending.date);
  return (
    <PanelPart
      title={isMine ? 'Change waiting for you' : 'Change waiting'}
      aside={
        pending.date !== null && (
          <Chip tone="amber">{`${formatDay(deadline.effectiveDate, 'short')} stays in effect until then`}</Chip>
        )
      }
    >
      <p>
        {pending.by.id === reader.id ? 'You propose' : `${fullName(pending.by)} proposes`}{' '}
        <strong className="font-semibold">{to}</strong>
      </p>
      <p className="mt-1 font-serif wrap-anywhere">“{pending.reason}”</p>
      {pending.proof !== '' && <p className="mt-1 text-ink-2">Proof: {pending.proof}</p>}
      {isMine && (
        <div className="mt-3 flex gap-2">
          <Button busy={isBusy && isAccepting} onClick={() => decide(true)}>
            Accept change
          </Button>
          <Button busy={isBusy && !isAccepting} onClick={() => decide(false)}>
            Decline
          </Button>
        </div>
      )}
    </PanelPart>
  );
}

interface VerifyFormProps {
  deadline: Deadline;
  /** The person who entered the date; undefined if it came from the matter. */
  author: Person | undefined;
  /** Whether it waits for the reader, who then types at once. */
  isAsked: boolean;
}

/** The second pair of eyes: the date is read in the paper and entered again. */
function VerifyForm({ deadline, author, isAsked }: VerifyFormProps) {
  const [date, setDate] = useState('');
  const [time, setTime] = useState('');
  const [error, setError] = useState<string>();
  const { isBusy, attempt } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAsked) field.current?.focus();
  }, [isAsked]);
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setError(undefined);
    const body = { date, time: time || null };
    void attempt(body, async () => {
      try {
        await verifyDate({ params: { id: deadline.id }, body });
      } catch (problem) {
        if (problem instanceof CallError) {
          setError(problem.message);
          // A date that differs is an entry of the history.
          if (problem.code === 'conflict') refreshDeadline(deadline);
        }
        throw problem;
      }
      toast.success('Date verified');
    });
  };
  const who = author ? `${fullName(author)} entered this date.` : 'This date came with its matter.';
  return (
    <section
      aria-label="Verify against the paper"
      className="border-t border-line bg-sunken px-6 py-4"
    >
      <h3 className="font-semibold">Verify against the paper</h3>
      <p className="mb-3 text-ink-2">{who} Read it in the paper and enter it again.</p>
      <form noValidate onSubmit={handleSubmit} className="flex flex-wrap items-start gap-2">
        <Field label="Date" error={error} className="w-40">
          <TextInput
            ref={field}
            type="date"
            value={date}
            onChange={({ target }) => setDate(target.value)}
          />
        </Field>
        <Field label="Time" className="w-32" hint="Empty: end of day">
          <TextInput type="time" value={time} onChange={({ target }) => setTime(target.value)} />
        </Field>
        <Button type="submit" variant="primary" busy={isBusy} className="mt-[23px] ml-auto">
          Verify date
        </Button>
      </form>
    </section>
  );
}

interface DeadlineFactsProps {
  deadline: Deadline;
  /** Whether the date is kept from the reader until they ask for it. */
  isHidden: boolean;
  onShow: () => void;
}

/** Dates and people. */
function DeadlineFacts({ deadline, isHidden, onShow }: DeadlineFactsProps) {
  const { effectiveDate, time, timeZone, workingDate, owner, second } = deadline;
  const days = daysBetween(useDayIn(timeZone), effectiveDate);
  const proposed = proposedDate(deadline);
  const zone = timeZone.replace(/^.*\//, '').replaceAll('_', ' ');
  return (
    <dl className="mt-4 grid grid-cols-3 gap-x-4 gap-y-3">
      <Fact label="Due" isWide>
        {isHidden ? (
          <Button size="small" onClick={onShow}>
            Show date
          </Button>
        ) : (
          <>
            <span className="font-semibold">{formatDay(effectiveDate)}</span>
            <span
              className={cx(
                'block text-note font-normal',
                days < 0 ? 'text-red' : days <= SOON_DAYS ? 'text-amber' : 'text-ink-2',
              )}
            >
              {proposed === undefined ? `${timeInWords(time)}, ${zone}` : 'in effect until decided'}
              , {distanceInWords(days)}
            </span>
            {proposed !== undefined && (
              <span className="block text-note font-normal text-amber">
                {`proposed ${formatDay(proposed)}`}
              </span>
            )}
          </>
        )}
      </Fact>
      <Fact label="Working date">{workingDate ? formatDay(workingDate, 'short') : 'None'}</Fact>
      <Fact label="Owner" note={deadline.acknowledged ? 'acknowledged' : undefined}>
        {owner ? fullName(owner) : 'None'}
      </Fact>
      <Fact label="Second">{second ? fullName(second) : 'None'}</Fact>
    </dl>
  );
}

interface FactProps {
  label: string;
  note?: string | undefined;
  /** Takes a line of its own. */
  isWide?: boolean;
  children: ReactNode;
}

function Fact(props: FactProps) {
  return (
    <div className={cx('min-w-0', props.isWide === true && 'col-span-full')}>
      <dt className="text-note text-ink-2">{props.label}</dt>
      <dd className="font-medium wrap-anywhere">
        {props.children}
        {props.note !== undefined && (
          <span className="block text-note font-normal text-ink-2">{props.note}</span>
        )}
      </dd>
    </div>
  );
}

const ChangeDialog = lazyNamed(() => import('./ChangeDialog.tsx'), 'ChangeDialog');
const CorrectDialog = lazyNamed(() => import('./ChangeDialog.tsx'), 'CorrectDialog');
const EditDialog = lazyNamed(() => import('./ChangeDialog.tsx'), 'EditDialog');

interface DeadlineActionsProps {
  deadline: DeadlineWithHistory;
  /** The act with which the deadline was opened. */
  act: ActName | undefined;
  reader: Reader;
}

type OpenDialog = 'change' | 'complete' | 'correct' | 'edit';
const dialogs: Partial<Record<ActName, OpenDialog>> = {
  assign: 'edit',
  complete: 'complete',
  reopen: 'change',
};

/** The one act that fits the state, and the others in a menu. Verifying and deciding have their own places. */
function DeadlineActions({ deadline, act: asked, reader }: DeadlineActionsProps) {
  const [opened, setOpened] = useState<OpenDialog | null>((asked && dialogs[asked]) ?? null);
  const { isBusy, attempt } = useAttempt();
  const act = actOf(deadline, reader);
  const entries = useOthers({ deadline, reader }, setOpened);
  const params = { id: deadline.id };
  const shown = { deadline, onClose: () => setOpened(null) };
  const dialog = act && dialogs[act.name];
  return (
    <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
      {act?.name === 'acknowledge' && (
        <Button busy={isBusy} onClick={() => void attempt(params, () => acknowledge({ params }))}>
          {act.words}
        </Button>
      )}
      {act?.name === 'open' && deadline.case && (
        <Link className={buttonClass()} to={paths.caseDetails(deadline.case.id)}>
          {act.words}
        </Link>
      )}
      {dialog && <Button onClick={() => setOpened(dialog)}>{act.words}</Button>}
      {entries.length > 0 && (
        <MenuButton label="More actions" icon={Ellipsis} variant="quiet" entries={entries} />
      )}
      {opened === 'change' && <ChangeDialog {...shown} />}
      {opened === 'complete' && <ChangeDialog {...shown} action="complete" />}
      {opened === 'correct' && <CorrectDialog {...shown} />}
      {opened === 'edit' && <EditDialog {...shown} />}
    </div>
  );
}

function useOthers(
  { deadline, reader }: Pick<DeadlineActionsProps, 'deadline' | 'reader'>,
  onOpen: (what: OpenDialog) => void,
): MenuEntry[] {
  const navigate = useNavigate();
  const { hard, owner, pending, status } = deadline;
  const canEditDeadline = owner?.id === reader.id || reader.editsCalendar;
  const entries: MenuEntry[] = [];
  if ((hard || canEditDeadline) && !pending && status === 'open')
    entries.push({
      label: hard ? 'Propose a change' : 'Change',
      onSelect: () => onOpen('change'),
    });
  if (mayCorrect(deadline, reader))
    entries.push({ label: 'Correct the date', onSelect: () => onOpen('correct') });
  if (canEditDeadline) entries.push({ label: 'Edit', onSelect: () => onOpen('edit') });
  if (deadline.case && status !== 'vacated') {
    const query = `view=deadlines&deadline=${deadline.id}&apply=deadline:${deadline.id}`;
    entries.push({
      label: 'Count from it',
      onSelect: () => void navigate(`${paths.calendar}?${query}`),
    });
  }
  return entries;
}
