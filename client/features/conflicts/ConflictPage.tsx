import ChevronRight from 'lucide-react/icons/chevron-right';
import FileDown from 'lucide-react/icons/file-down';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { Check, Hit } from '@matterdesk/contract/conflicts.ts';
import { CallError } from '../../api.ts';
import { paths } from '../../core/paths.ts';
import { useAppSelector } from '../../core/store.ts';
import { useResource } from '../../core/use-resource.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { Button } from '../../ui/Button.tsx';
import { useToday } from '../../ui/days.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { caseLibrary } from '../files/api.ts';
import { rerun } from './api.ts';
import { CheckNames } from './components/CheckNames.tsx';
import { CheckRecord } from './components/CheckRecord.tsx';
import { CheckSkeleton } from './components/CheckSkeleton.tsx';
import { ConcludeBar } from './components/ConcludeBar.tsx';
import { HitRow } from './components/HitRow.tsx';
import { OutcomeBar } from './components/OutcomeBar.tsx';
import { fullName, isUndecided, momentInWords, searchedInWords, worstFirst } from './rules.ts';
import { checkOf } from './slice.ts';

/** A conflict check: its names, what they meet, what was decided, and its outcome. */
export function ConflictPage() {
  const { id = '' } = useParams();
  const { data, failure, status, refresh } = useResource(checkOf, id);
  if (failure?.status === 404) return <NoCheck />;
  if (data) return <CheckView key={data.id} check={data} />;
  if (!failure) return <CheckSkeleton />;
  return (
    <ErrorState
      title="Couldn’t load the conflict check"
      detail={failure.message}
      busy={status === 'loading'}
      onRetry={refresh}
    />
  );
}

function CheckView({ check }: { check: Check }) {
  const { id, number, at, by, subject, hits, concluded } = check;
  const [shownName, setShownName] = useState<number | null>(null);
  const mayDecide = useAppSelector(({ user }) => user.current?.permissions.clearConflicts === true);
  const today = useToday();
  const who = by ? fullName(by) : 'Matterdesk';
  return (
    <div className="flex min-h-full flex-col">
      <PageHeader
        title={`Conflict check ${number}`}
        trail={<Trail subject={subject} />}
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
        {`Run by ${who} ${momentInWords(at, today)} · ${searchedInWords(check)}`}
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
        <OutcomeBar number={number} concluded={concluded} today={today} />
      ) : (
        mayDecide && <ConcludeBar check={check} />
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
          {names.length === 1 ? 'No match for 1 name.' : `No match for ${names.length} names.`}
        </p>
      )}
      <ul className="border-t border-line">
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
            onSaved={() => setOpenId(null)}
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
    .map((url) => ({ value: url, label: decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)) }));
}

function Rerun({ id }: { id: string }) {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const handleClick = async () => {
    setIsBusy(true);
    try {
      void navigate(paths.conflict((await rerun(id)).id));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button icon={RefreshCw} busy={isBusy} onClick={() => void handleClick()}>
      Run again
    </Button>
  );
}

function Trail({ subject }: Pick<Check, 'subject'>) {
  const link = 'inline-flex min-h-6 items-center underline-offset-3 hover:text-ink hover:underline';
  const isCase = subject?.kind === 'cases';
  const places = [
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
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-1.5">
        {places.map(({ to, label }, index) => (
          <li key={to} className="flex min-w-0 items-center gap-1.5">
            {index > 0 && <ChevronRight className="size-3.5!" />}
            <Link to={to} className={link}>
              {label}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function NoCheck() {
  return (
    <PageHeader title="Conflict check not found">
      <p>No check has this address, or it is about a matter that you do not see.</p>
      <Link to={paths.conflicts} className={`${buttonClass()} mt-5`}>
        Go to Conflict checks
      </Link>
    </PageHeader>
  );
}
