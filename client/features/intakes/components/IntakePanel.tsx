import Copy from 'lucide-react/icons/copy';
import Paperclip from 'lucide-react/icons/paperclip';
import X from 'lucide-react/icons/x';
import { type ReactNode, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { CaseProposal } from '@matterdesk/contract/intake-acceptance.ts';
import {
  type Intake,
  type IntakeDetail,
  type IntakeEntry,
  type IntakeFile,
  openStages,
} from '@matterdesk/contract/intakes.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { fullName } from '../../../core/full-name.ts';
import type { IntakeCheck } from '../../../core/intake-check.ts';
import { paths } from '../../../core/paths.ts';
import { Pending } from '../../../core/Pending.tsx';
import { peopleOf } from '../../../core/people.ts';
import type { CaseDialog, ContactField, MatterAccess } from '../../../core/slots.ts';
import { useAppSelector, useMay } from '../../../core/store.ts';
import { succeeds, useAttempt } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { buttonClass, Button, IconButton } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { formatDay } from '../../../ui/days.ts';
import { FileInput } from '../../../ui/FileInput.tsx';
import { PanelPart } from '../../../ui/PanelPart.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useDocumentKey } from '../../../ui/use-document-key.ts';
import { acceptIntake, addFile, changeIntake, readProposal } from '../api.ts';
import {
  entryInWords,
  momentOf,
  acceptObstacleOf,
  reasonNames,
  roleNames,
  stageNames,
} from '../rules.ts';
import { intakeOf } from '../slice.ts';
import { CheckMark } from './CheckMark.tsx';
import { IntakeMenu } from './IntakeMenu.tsx';
import { ResponseBar } from './ResponseBar.tsx';
import { DueMark } from './ResponseMark.tsx';

interface IntakePanelProps {
  id: string;
  now: Date;
  parts: IntakeParts;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** An intake beside its board: how long it waits, the story, names and conflicts, activity, and how it ends. */
export function IntakePanel({ id, onClose, ...rest }: IntakePanelProps) {
  const { data, status, failure, refresh } = useResource(intakeOf, id);
  useDocumentKey(({ key, target, defaultPrevented }) => {
    const isInDialog = target instanceof Element && target.closest('[role=dialog]') !== null;
    if (key === 'Escape' && !defaultPrevented && !isInDialog) onClose();
  });
  return (
    <aside
      aria-label="Intake"
      className="flex flex-col border-line bg-surface max-lg:fixed max-lg:inset-0 max-lg:z-30 lg:w-[27.25rem] lg:flex-none lg:border-l"
    >
      {data ? (
        <Content key={id} detail={data} onClose={onClose} {...rest} />
      ) : (
        <>
          <IconButton
            label="Close"
            icon={X}
            variant="quiet"
            size="small"
            className="mt-5 mr-5 ml-auto"
            onClick={onClose}
          />
          <Pending of={{ failure, status, refresh }} what="the intake">
            <div className="space-y-4 p-6">
              <Skeleton className="h-7 w-2/3" />
              <Skeleton className="h-20 w-full" />
              <Skeleton className="h-36 w-full" />
            </div>
          </Pending>
        </>
      )}
    </aside>
  );
}

type ContentProps = Omit<IntakePanelProps, 'id'> & { detail: IntakeDetail };

function Content({ detail, now, parts, onOpen, onClose }: ContentProps) {
  const { intake, answers, activity, files, duplicates } = detail;
  const own = useAppSelector(({ user }) => user.current?.id);
  const { owner, form } = intake;
  const check = useRef<HTMLDivElement>(null);
  const leadToCheck = () => {
    check.current?.scrollIntoView({ block: 'center' });
    check.current?.querySelector<HTMLElement>('[data-check] :is(a, button)')?.focus();
  };
  const origin = form ? ` · web form “${form.name}”` : '';
  return (
    <>
      <div className="min-h-0 grow overflow-y-auto">
        <header className="px-6 pt-5 pb-4">
          <div className="flex items-center gap-2">
            <p className="min-w-0 truncate text-note text-ink-2">{`Intake ${intake.number}${origin}`}</p>
            <span className="-mr-1.5 ml-auto flex">
              <IntakeMenu
                intake={intake}
                accessDialog={parts.accessDialog}
                onNeedsCheck={leadToCheck}
              />
              <IconButton label="Close" icon={X} variant="quiet" size="small" onClick={onClose} />
            </span>
          </div>
          <h2 className="font-serif text-subtitle font-strong wrap-anywhere">{intake.name}</h2>
          <div className="mt-1.5 flex flex-wrap items-center gap-2">
            <Chip tone="accent">{stageNames[intake.stage]}</Chip>
            <Chip>{intake.type ?? 'Type unknown'}</Chip>
            {intake.isSpam && <Chip tone="amber">Spam</Chip>}
            {owner && (
              <span className="ml-auto flex items-center gap-1.5 text-sm">
                <Avatar name={fullName(owner)} />
                {owner.id === own ? 'You own this' : fullName(owner)}
              </span>
            )}
          </div>
        </header>
        <ResponseBar intake={intake} now={now} />
        <IntakeFacts intake={intake} answers={answers} now={now} />
        <div ref={check}>
          <IntakeNames
            intake={intake}
            duplicates={duplicates}
            conflictCheck={parts.conflictCheck}
            onOpen={onOpen}
          />
        </div>
        <IntakeFiles intake={intake} files={files} />
        <IntakeActivity activity={activity} now={now} />
      </div>
      <IntakeFoot intake={intake} parts={parts} onNeedsCheck={leadToCheck} />
    </>
  );
}

/** The history, newest first. */
function IntakeActivity(props: { activity: readonly IntakeEntry[]; now: Date }) {
  const own = useAppSelector(({ user }) => user.current?.id ?? '');
  const people = useAppSelector(peopleOf);
  const nameOf = (id: string) => {
    const person = people.find((each) => each.id === id);
    return person ? fullName(person) : 'someone else';
  };
  if (props.activity.length === 0) return null;
  return (
    <PanelPart title="Activity">
      <ol className="space-y-1.5">
        {props.activity.map((entry) => (
          <li key={entry.id} className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">
              {entryInWords(entry, { id: own, nameOf })}
              {(entry.kind === 'note' || entry.kind === 'call') && entry.text && (
                <span className="block whitespace-pre-line text-ink-2">“{entry.text}”</span>
              )}
            </span>
            <time dateTime={entry.at} className="flex-none text-note text-ink-2 tabular-nums">
              {momentOf(entry.at, props.now)}
            </time>
          </li>
        ))}
      </ol>
    </PanelPart>
  );
}

interface IntakeNamesProps {
  intake: Intake;
  conflictCheck: IntakeParts['conflictCheck'];
  duplicates: IntakeDetail['duplicates'];
  onOpen: (id: string) => void;
}

/** The people involved, the state of the conflict check, and possible duplicates. */
function IntakeNames({
  intake,
  duplicates,
  conflictCheck: ConflictCheck,
  onOpen,
}: IntakeNamesProps) {
  const names = [{ name: intake.name, role: 'client' as const }, ...intake.parties];
  return (
    <PanelPart title="Names and conflicts" aside={<CheckMark check={intake.check} />}>
      <ul className="space-y-1.5">
        {names.map(({ name, role }) => (
          <li key={`${role} ${name}`} className="wrap-anywhere">
            {name} <span className="text-ink-2">· {roleNames[role]}</span>
          </li>
        ))}
      </ul>
      {duplicates.map(({ kind, id, reason }) => (
        <p key={`${kind} ${id}`} className="mt-2 flex items-center gap-1.5 text-note text-ink-2">
          <Copy className="size-3.5 flex-none" />
          {reason}
          {kind === 'intake' && (
            <button type="button" className="link" onClick={() => onOpen(id)}>
              Show
            </button>
          )}
          {kind === 'contact' && (
            <Link className="link" to={paths.contact(id)}>
              Show
            </Link>
          )}
        </p>
      ))}
      {intake.erasedAt === undefined && (
        <div data-check className="mt-3">
          <ConflictCheck intake={intake} />
        </div>
      )}
    </PanelPart>
  );
}

/** Files of the inquiry, opened in a tab of their own. */
function IntakeFiles({ intake, files }: { intake: Intake; files: readonly IntakeFile[] }) {
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, attempt } = useAttempt();
  const add = (chosen: File[]) =>
    void attempt(null, async () => {
      for (const file of chosen) await addFile({ params: { id: intake.id }, file });
    });
  if (intake.erasedAt !== undefined) return null;
  return (
    <PanelPart
      title="Files"
      aside={
        <>
          <FileInput ref={input} multiple aria-label="Choose files" onFiles={add} />
          <Button size="small" busy={isBusy} onClick={() => input.current?.click()}>
            Add files
          </Button>
        </>
      }
    >
      {files.length === 0 ? (
        <p className="text-ink-2">No files</p>
      ) : (
        <ul className="space-y-1.5">
          {files.map(({ url, name, size }) => (
            <li key={url} className="flex items-center gap-1.5">
              <Paperclip className="flex-none text-ink-3" />
              <a href={url} target="_blank" rel="noreferrer" className="link min-w-0 truncate">
                {name}
              </a>
              <span className="flex-none text-note text-ink-3">{sizeInWords(size)}</span>
            </li>
          ))}
        </ul>
      )}
    </PanelPart>
  );
}

interface IntakeFactsProps {
  intake: Intake;
  answers: IntakeDetail['answers'];
  now: Date;
}

/** The story, and what is known. */
function IntakeFacts({ intake, answers, now }: IntakeFactsProps) {
  const { description, DOI, SOL, phoneNumber, email, address, source, textConsent } = intake;
  const story = description ?? '';
  return (
    <div className="border-t border-line px-6 py-4">
      {intake.erasedAt !== undefined ? (
        <p className="text-ink-2">
          Erased {momentOf(intake.erasedAt, now)}. Names and dates stay for conflict checks.
        </p>
      ) : (
        story !== '' && (
          <p className="font-serif text-heading whitespace-pre-line wrap-anywhere">“{story}”</p>
        )
      )}
      <dl className="mt-3 grid grid-cols-[5.5rem_1fr] gap-x-3 gap-y-1.5">
        <Fact label="Next step" value={intake.nextStep}>
          <DueMark dueAt={intake.dueAt} now={now} />
        </Fact>
        <Fact label="DOI" value={DOI && formatDay(DOI)} />
        <Fact label="SOL" value={SOL && formatDay(SOL)} />
        <Fact label="Phone" value={phoneNumber} />
        <Fact label="Email" value={email} />
        <Fact label="Address" value={address} />
        <Fact label="Source" value={source} />
        <Fact label="Consultation" value={intake.consultAt && momentOf(intake.consultAt, now)} />
        <Fact
          label="Texts"
          value={textConsent && `Allowed on the form ${momentOf(textConsent.at, now)}`}
        />
        {intake.declined && (
          <Fact
            label={intake.declined.referredTo ? 'Referred' : 'Declined'}
            value={[reasonNames[intake.declined.reason], intake.declined.note]
              .filter(Boolean)
              .join(': ')}
          >
            {intake.declined.referredTo && (
              <Link
                to={paths.contact(intake.declined.referredTo)}
                className="text-accent hover:underline"
              >
                To whom
              </Link>
            )}
          </Fact>
        )}
        {answers.map(({ label, value }) => (
          <Fact key={label} label={label} value={value} />
        ))}
      </dl>
    </div>
  );
}

function Fact(props: { label: string; value: string | null; children?: ReactNode }) {
  if (props.value === null || props.value === '') return null;
  return (
    <>
      <dt className="text-ink-2 wrap-anywhere">{props.label}</dt>
      <dd className="flex flex-wrap gap-x-2 whitespace-pre-line wrap-anywhere">
        {props.value}
        {props.children}
      </dd>
    </>
  );
}

const DeclineDialog = lazyNamed(() => import('./DeclineDialog.tsx'), 'DeclineDialog');

/** Components of other features, passed by the page. */
interface IntakeParts {
  caseDialog: CaseDialog;
  contactField: ContactField;
  accessDialog: MatterAccess;
  conflictCheck: IntakeCheck;
}

interface IntakeFootProps {
  intake: Intake;
  parts: IntakeParts;
  /** Leads to the conflict check, which has to be concluded first. */
  onNeedsCheck: () => void;
}

/** Ways to close an intake: decline, refer, or open a matter. */
function IntakeFoot({ intake, parts, onNeedsCheck }: IntakeFootProps) {
  const canOpen = useMay('createCases');
  const reason = acceptObstacleOf(intake, canOpen);
  const [ending, setEnding] = useState<'decline' | 'refer' | null>(null);
  const { id, stage, caseId, erasedAt } = intake;
  const isOpen = openStages.some((open) => open === stage);
  const reopen = () => succeeds(changeIntake({ params: { id }, body: { stage: 'contacted' } }));
  if (erasedAt !== undefined) return null;
  return (
    <footer className="flex items-center gap-2 border-t border-line px-6 py-3.5">
      {isOpen && (
        <>
          <Button onClick={() => setEnding('decline')}>Decline</Button>
          <Button onClick={() => setEnding('refer')}>Refer</Button>
        </>
      )}
      {isOpen && reason === null && <AcceptIntake intake={intake} caseDialog={parts.caseDialog} />}
      {isOpen && reason !== null && (
        <>
          {intake.check?.outcome ? (
            <span className="ml-auto text-note text-ink-2">{reason}</span>
          ) : (
            <button type="button" className="link ml-auto text-note" onClick={onNeedsCheck}>
              {reason}
            </button>
          )}
          <Button disabled>Make matter</Button>
        </>
      )}
      {!isOpen && caseId !== null && (
        <Link to={paths.caseDetails(caseId)} className={buttonClass()}>
          Open the matter
        </Link>
      )}
      {!isOpen && caseId === null && <Button onClick={() => void reopen()}>Reopen</Button>}
      {ending && (
        <DeclineDialog
          intake={intake}
          isReferral={ending === 'refer'}
          contactField={parts.contactField}
          onClose={() => setEnding(null)}
        />
      )}
    </footer>
  );
}

interface AcceptIntakeProps {
  intake: Intake;
  caseDialog: CaseDialog;
}

/** 'Make matter' opens 'Add New Case' with what the intake says; accepting leads to the matter. */
function AcceptIntake({ intake, caseDialog: NewCase }: AcceptIntakeProps) {
  const navigate = useNavigate();
  const [known, setKnown] = useState<CaseProposal | null>(null);
  const { isBusy, attempt } = useAttempt();
  const { id, number } = intake;
  const start = () => attempt(null, async () => setKnown((await readProposal(id)).case));
  return (
    <>
      <Button
        variant={intake.firstResponseAt === null ? 'default' : 'primary'}
        className="ml-auto"
        busy={isBusy}
        onClick={() => void start()}
      >
        Make matter
      </Button>
      {known && (
        <NewCase
          source={{
            title: `Intake ${number}`,
            intakeId: id,
            known,
            open: (body, idempotencyKey) => acceptIntake({ params: { id }, body, idempotencyKey }),
          }}
          onClose={() => setKnown(null)}
          onOpened={(opened) => void navigate(paths.caseDetails(opened.id))}
        />
      )}
    </>
  );
}
