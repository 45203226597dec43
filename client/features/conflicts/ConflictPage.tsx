import FileDown from 'lucide-react/icons/file-down';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldX from 'lucide-react/icons/shield-x';
import { type Ref, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { Check, Hit } from '@matterdesk/contract/conflicts.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { nameOfUrl } from '../../core/file-link.ts';
import { fullName } from '../../core/full-name.ts';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { useMay } from '../../core/store.ts';
import { useAttempt } from '../../core/use-attempt.ts';
import { useResource } from '../../core/use-resource.ts';
import { counted, formatCount, momentInWords } from '../../core/words.ts';
import { Breadcrumbs } from '../../ui/Breadcrumbs.tsx';
import { buttonClass, Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { useNow } from '../../ui/days.ts';
import { isFocusLost } from '../../ui/focus.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { caseLibrary } from '../files/api.ts';
import { rerunCheck } from './api.ts';
import { HitRow } from './components/HitRow.tsx';
import {
  askedRole,
  hitsInWords,
  isUndecided,
  outcomeNames,
  searchedInWords,
  sourceNames,
  worstFirst,
} from './rules.ts';
import { checkOf } from './slice.ts';

const ConcludeBar = lazyNamed(() => import('./components/ConcludeBar.tsx'), 'ConcludeBar');

/** A conflict check: its names, their hits, the decisions, and its outcome. */
export function ConflictPage() {
  const { id = '' } = useParams();
  const { data, failure, status, refresh } = useResource(checkOf, id);
  if (failure?.status === 404) return <NoCheck />;
  if (data) return <CheckView key={data.id} check={data} />;
  return (
    <Pending of={{ failure, status, refresh }} what="the conflict check">
      <CheckSkeleton />
    </Pending>
  );
}

function CheckView({ check }: { check: Check }) {
  const { id, number, at, by, subject, hits, concluded } = check;
  const [shownName, setShownName] = useState<number | null>(null);
  const mayDecide = useMay('clearConflicts');
  const now = useNow();
  const who = by ? fullName(by) : 'Matterdesk';
  const outcome = useRef<HTMLElement>(null);
  const wasConcluded = useRef(concluded !== null);
  useEffect(() => {
    // The form that concluded the check disappears with the focus.
    if (concluded && !wasConcluded.current && isFocusLost()) outcome.current?.focus();
    wasConcluded.current = concluded !== null;
  }, [concluded]);
  return (
    <div className="flex min-h-full flex-col">
      <PageHeader
        title={`Conflict check ${number}`}
        trail={<Breadcrumbs places={placesOf(subject)} />}
        actions={
          <>
            <Rerun id={id} />
            <a href={`/api/v1/conflicts/${id}/pdf`} download className={buttonClass()}>
              <FileDown />
              PDF
            </a>
          </>
        }
      >
        {`Run by ${who}, ${momentInWords(at, now)} · ${searchedInWords(check)}`}
      </PageHeader>
      <div className="@container grow px-4 pt-5 pb-9 sm:px-9">
        <div className="grid gap-x-10 gap-y-6 @min-[44rem]:grid-cols-[14rem_minmax(0,1fr)] @min-[44rem]:grid-rows-[auto_1fr] @min-[60rem]:grid-cols-[15rem_minmax(0,1fr)]">
          <CheckNames check={check} shown={shownName} onShow={setShownName} />
          <section
            aria-label="Hits"
            className="min-w-0 @min-[44rem]:col-start-2 @min-[44rem]:row-span-2 @min-[44rem]:row-start-1"
          >
            <Hits
              check={check}
              hits={worstFirst(hits).filter((hit) => shownName === null || hit.name === shownName)}
              canDecide={mayDecide && concluded === null}
            />
          </section>
          <CheckRecord check={check} />
        </div>
      </div>
      {concluded ? (
        <OutcomeBar
          ref={outcome}
          number={number}
          concluded={concluded}
          subject={subject}
          now={now}
        />
      ) : (
        mayDecide && <ConcludeBar check={check} fallback={<div className="h-16" />} />
      )}
    </div>
  );
}

interface HitsProps {
  check: Check;
  hits: readonly Hit[];
  canDecide: boolean;
}

function Hits({ check, hits, canDecide }: HitsProps) {
  const { names, subject } = check;
  const waivers = useWaivers(check, canDecide);
  const first = canDecide ? hits.find((hit) => isUndecided(check, hit))?.id : undefined;
  const [openId, setOpenId] = useState<string | null>(null);
  const open = openId ?? first;
  return (
    <>
      <h2 className="mb-2 text-heading font-semibold">
        Hits
        <span className="ml-2 font-normal text-ink-3 tabular-nums">{hits.length}</span>
      </h2>
      {hits.length === 0 && (
        <p className="border-t border-line py-6 text-ink-2">
          {`No match for ${counted(names.length, 'name')}.`}
        </p>
      )}
      <ul tabIndex={-1} aria-label="Hits" className="border-t border-line outline-none">
        {hits.map((hit) => (
          <HitRow
            key={hit.id}
            check={check}
            hit={hit}
            asked={names[hit.name]?.name ?? ''}
            canWall={subject !== null}
            waivers={waivers}
            canDecide={canDecide}
            isOpen={canDecide && hit.id === open}
            onOpen={() => setOpenId(hit.id)}
            // Another hit may have been opened while this one was being saved.
            onSaved={() => setOpenId((now) => (now === hit.id ? null : now))}
          />
        ))}
      </ul>
    </>
  );
}

/** Files that may be a signed waiver: those of the matter that the check is about. */
function useWaivers({ subject, hits }: Check, isWanted: boolean) {
  const own = subject?.kind === 'cases' ? subject.id : undefined;
  const met = hits.flatMap((hit) =>
    hit.severity === 'hidden' || !hit.found.case ? [] : [hit.found.case.id],
  );
  const caseId = own ?? met[0];
  const { data } = useResource(caseLibrary, isWanted && caseId !== undefined ? caseId : null);
  return Object.values(data?.files ?? {})
    .flat()
    .map((url) => ({ value: url, label: nameOfUrl(url) }));
}

function Rerun({ id }: { id: string }) {
  const navigate = useNavigate();
  const { isBusy, attempt } = useAttempt();
  const handleClick = () =>
    void attempt(id, async (idempotencyKey) => {
      const { check } = await rerunCheck({ params: { id }, idempotencyKey });
      void navigate(paths.conflict(check.id));
    });
  return (
    <Button icon={RefreshCw} busy={isBusy} onClick={handleClick}>
      Run again
    </Button>
  );
}

/** The places above a check, from its subject. */
function placesOf(subject: Check['subject']) {
  const isCase = subject?.kind === 'cases';
  return [
    ...(subject
      ? [
          isCase
            ? { to: paths.matters, label: 'Matters' }
            : { to: paths.intakes, label: 'Intakes' },
          {
            to: isCase ? paths.caseDetails(subject.id) : paths.intake(subject.id),
            label: subject.name,
          },
        ]
      : [{ to: paths.contacts, label: 'Contacts' }]),
    { to: paths.conflicts, label: 'Conflict checks' },
  ];
}

function NoCheck() {
  return (
    <PageHeader title="Conflict check not found">
      <p>This check doesn’t exist, or it is about a matter you can’t see.</p>
      <Link to={paths.conflicts} className={`${buttonClass()} mt-5`}>
        Go to Conflict checks
      </Link>
    </PageHeader>
  );
}

const ROWS = ['first', 'second', 'third', 'fourth'];

/** A check while it loads. */
function CheckSkeleton() {
  return (
    <div aria-hidden="true" className="@container px-4 pt-5 sm:px-9 sm:pt-7">
      <Skeleton className="h-3 w-40" />
      <Skeleton className="mt-2 h-8 w-72" />
      <Skeleton className="mt-3 h-4 w-96 max-w-full" />
      <div className="mt-8 grid gap-x-10 gap-y-8 @min-[44rem]:grid-cols-[15rem_minmax(0,1fr)]">
        <div className="grid content-start gap-5">
          {ROWS.map((row) => (
            <Skeleton key={row} className="h-9 w-full" />
          ))}
        </div>
        <div className="grid content-start gap-5">
          {ROWS.map((row) => (
            <Skeleton key={row} className="h-16 w-full" />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Searched sources, and proof that the record has not changed. */
function CheckRecord({ check: { searched, rerunOf, sha256 } }: { check: Check }) {
  return (
    <aside aria-label="Record" className="min-w-0">
      <section className="border-t border-line pt-4">
        <h3 className="mb-1 text-sm text-ink-3">Searched</h3>
        <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 text-sm text-ink-2">
          {searched.map(({ source, count }) => (
            <div key={source} className="col-span-2 grid grid-cols-subgrid">
              <dt>{sourceNames[source]}</dt>
              <dd className="text-right tabular-nums">{formatCount(count)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="mt-4 border-t border-line pt-4 text-sm text-ink-2">
        <h3 className="mb-1 text-ink-3">Record</h3>
        <p>Nothing in it can be changed. Its SHA-256 covers the record before it, too:</p>
        <p className="mt-1 text-xs break-all tabular-nums">{sha256}</p>
        {rerunOf !== null && (
          <Link to={paths.conflict(rerunOf)} className="link mt-2 inline-block">
            The check that this one repeats
          </Link>
        )}
      </section>
    </aside>
  );
}

interface OutcomeBarProps {
  ref: Ref<HTMLElement>;
  number: number;
  concluded: NonNullable<Check['concluded']>;
  subject: Check['subject'];
  now: Date;
}

/** The outcome of a concluded check, in place of the form. */
function OutcomeBar({ ref, number, concluded, subject, now }: OutcomeBarProps) {
  const { outcome, reason, by, at } = concluded;
  const isDeclined = outcome === 'declined';
  const Icon = isDeclined ? ShieldX : ShieldCheck;
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="Outcome"
      className="outline-none bottom-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line-strong bg-surface px-4 py-3.5 sm:sticky sm:px-9"
    >
      <span
        className={`flex items-center gap-1.5 font-medium ${isDeclined ? 'text-red' : 'text-green'}`}
      >
        <Icon />
        {outcomeNames[outcome]}
      </span>
      <span className="wrap-anywhere">{reason}</span>
      <span className="ml-auto text-sm text-ink-2">
        {`${by ? fullName(by) : 'Matterdesk'}, ${momentInWords(at, now)} · record ${number}`}
      </span>
      {subject?.kind === 'intakes' && (
        <Link to={paths.intake(subject.id)} className={buttonClass({ variant: 'primary' })}>
          Back to the intake
        </Link>
      )}
    </section>
  );
}

interface CheckNamesProps {
  check: Check;
  /** The name whose hits alone are shown, by its place. */
  shown: number | null;
  onShow: (name: number | null) => void;
}

/** The names of a check with the number of their hits; choosing one shows its hits alone. */
function CheckNames({ check, shown, onShow }: CheckNamesProps) {
  const { names, hits } = check;
  return (
    <section aria-label="Names" className="min-w-0">
      <h2 className="mb-2 text-heading font-semibold">
        Names
        <span className="ml-2 font-normal text-ink-3 tabular-nums">{names.length}</span>
      </h2>
      <ul className="-mx-3">
        <NameLine
          title="All names"
          detail={hitsInWords(check, hits)}
          count=""
          isShown={shown === null}
          onShow={() => onShow(null)}
        />
        {names.map((asked, index) => {
          const found = hits.filter(({ name }) => name === index).length;
          return (
            <NameLine
              // oxlint-disable-next-line react/no-array-index-key -- a name is known by its place
              key={index}
              title={asked.name}
              detail={askedRole(asked)}
              count={found === 0 ? 'No match' : counted(found, 'hit')}
              isShown={shown === index}
              onShow={() => onShow(shown === index ? null : index)}
            />
          );
        })}
      </ul>
    </section>
  );
}

interface NameLineProps {
  title: string;
  detail: string;
  count: string;
  isShown: boolean;
  onShow: () => void;
}

function NameLine({ title, detail, count, isShown, onShow }: NameLineProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isShown}
        onClick={onShow}
        className={cx(
          'flex min-h-[52px] w-full items-center justify-between gap-3 rounded-control px-3 py-1.5 text-left',
          isShown ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <span className="min-w-0">
          <span className="block truncate font-medium">{title}</span>
          <span className="block truncate text-note text-ink-2">{detail}</span>
        </span>
        <span
          className={cx('flex-none text-sm', count === 'No match' ? 'text-ink-3' : 'font-medium')}
        >
          {count}
        </span>
      </button>
    </li>
  );
}
