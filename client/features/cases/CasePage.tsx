// The list of matters and the page of one matter.

import Flag from 'lucide-react/icons/flag';
import Lock from 'lucide-react/icons/lock';
import Sparkles from 'lucide-react/icons/sparkles';
import SquareKanban from 'lucide-react/icons/square-kanban';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams, useNavigate } from 'react-router';
import { NOT_FILED, type Case } from '@matterdesk/contract/cases.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { paths } from '../../core/paths.ts';
import { useAppDispatch, useAppSelector } from '../../core/store.ts';
import { useResource } from '../../core/use-resource.ts';
import { useFirm } from '../../core/use-firm.ts';
import { useViewed } from '../../core/viewed.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { Button } from '../../ui/Button.tsx';
import { formatDay, useToday } from '../../ui/days.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useOpenChat } from '../ai/hooks/use-open-chat.ts';
import type { ChatSubject } from '../ai/hooks/use-conversation.ts';
import { placesOf } from '../ai/rules.ts';
import { NameCheckLine } from '../conflicts/components/NameCheckLine.tsx';
import { libraryOf } from '../files/slice.ts';
import { useShown } from '../files/hooks/use-shown.ts';
import { caseActivity, lookAgain } from './api.ts';
import { CaseDropdown } from './components/CaseDropdown.tsx';
import { CaseChips } from './components/CaseChips.tsx';
import { CaseMenu } from './components/CaseMenu.tsx';
import { CaseSkeleton } from './components/CaseSkeleton.tsx';
import { CaseSummary } from './components/CaseSummary.tsx';
import { CaseTrail } from './components/CaseTrail.tsx';
import { LatestActivity } from './components/LatestActivity.tsx';
import { MissingFields } from './components/MissingFields.tsx';
import { Parties } from './components/Parties.tsx';
import { useCase } from './hooks/use-case.ts';
import { SectionHeading } from '../../ui/SectionHeading.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { cx } from '../../ui/cx.ts';
import { partiesOf } from '../contacts/slice.ts';

const AccessDialog = lazy(async () => ({
  default: (await import('../access/components/AccessDialog.tsx')).AccessDialog,
}));

const CaseParties = lazy(async () => ({
  default: (await import('../contacts/components/CaseParties.tsx')).CaseParties,
}));

const NextDates = lazy(async () => ({
  default: (await import('../calendar/components/NextDates.tsx')).NextDates,
}));
const EventDialog = lazy(async () => ({
  default: (await import('../calendar/components/EventDialog.tsx')).EventDialog,
}));
const NewDeadlineDialog = lazy(async () => ({
  default: (await import('../deadlines/components/NewDeadlineDialog.tsx')).NewDeadlineDialog,
}));
const ActivityDialog = lazy(async () => ({
  default: (await import('./components/ActivityDialog.tsx')).ActivityDialog,
}));

const CaseFiles = lazy(async () => ({
  default: (await import('../files/components/CaseFiles.tsx')).CaseFiles,
}));
const ChatPopup = lazy(async () => ({
  default: (await import('../ai/components/ChatPopup.tsx')).ChatPopup,
}));
const Preview = lazy(async () => ({
  default: (await import('../files/components/Preview.tsx')).Preview,
}));

/** Milliseconds during which several changes are combined into one fetch. */
const GATHER_MS = 150;

/** The page of a case: its details, parties, files and activity. */
export function CasePage() {
  const { id = '' } = useParams();
  const { matter, failure, refresh, wasLost } = useCase(id);
  if (wasLost) return <MatterLost />;
  if (failure?.status === 404) return <CaseNotFound />;
  if (matter) return <CaseView key={id} matter={matter} />;
  if (!failure) return <CaseSkeleton />;
  return <ErrorState title="Couldn’t load the case" detail={failure.message} onRetry={refresh} />;
}

function CaseView({ matter }: { matter: Case }) {
  const canChange = useAppSelector((state) => state.user.current?.permissions.createCases === true);
  const activity = useResource(caseActivity, matter.id, { gather: GATHER_MS });
  const { data: story, refresh, grow } = activity;
  const failure = activity.failure?.message ?? null;
  const { isOpen, close } = useActivityAddress();
  const access = useAccessAddress();
  const edit = useEditAddress();
  const dispatch = useAppDispatch();
  const [subject, openChat] = useChatInAddress(matter.id);
  useHash();
  useViewed('case', matter.id);
  return (
    <>
      <PageHeader
        title={matter.caseName}
        trail={<CaseTrail caseNo={matter.caseNo ?? NOT_FILED} />}
        actions={
          <>
            <Link to={paths.tasksOf(matter.id)} className={buttonClass()}>
              <SquareKanban />
              Board
            </Link>
            <Link
              to={`${paths.calendar}?view=deadlines&case=${matter.id}`}
              className={buttonClass()}
            >
              <Flag />
              Deadlines
            </Link>
            <Button icon={Lock} onClick={access.open}>
              Access
            </Button>
            <Button icon={Sparkles} onClick={() => openChat({ caseId: matter.id })}>
              Ask this case
            </Button>
            {canChange && <CaseMenu matter={matter} edit={edit} />}
          </>
        }
      >
        <CaseChips matter={matter} />
      </PageHeader>
      <div className="printed-sheet @container px-4 pt-5 pb-9 sm:px-9">
        <PrintedAt />
        <MissingFields matter={matter} onFill={canChange ? edit.open : undefined} />
        <div className="grid gap-x-11 gap-y-6 @min-[42rem]:grid-cols-[minmax(0,1fr)_15rem] @min-[42rem]:gap-x-8 @min-[62rem]:grid-cols-[minmax(0,1fr)_18.75rem] @min-[62rem]:gap-x-11">
          <div>
            <CaseSummary matter={matter} />
            <CaseLibrary caseId={matter.id} subject={subject} onOpenChat={openChat} />
          </div>
          <div className="grid content-start gap-6 border-line max-[42rem]:border-t max-[42rem]:pt-5 @min-[42rem]:border-l @min-[42rem]:pl-7">
            <CaseContacts matter={matter} />
            <CaseDates matter={matter} />
            <div className="print:hidden">
              <LatestActivity
                caseId={matter.id}
                story={story}
                failure={failure}
                onRetry={refresh}
              />
            </div>
          </div>
        </div>
      </div>
      <Suspense>
        {isOpen && story && (
          <ActivityDialog
            caseId={matter.id}
            caseName={matter.caseName}
            story={story}
            failure={failure}
            isReading={activity.status === 'growing'}
            onOlder={grow}
            onClose={close}
          />
        )}
        {access.isOpen && (
          <AccessDialog
            kind="cases"
            id={matter.id}
            name={matter.caseName}
            onSaved={() => void dispatch(lookAgain(matter.id))}
            onClose={access.close}
          />
        )}
      </Suspense>
    </>
  );
}

/** On paper: whose sheet it is, and of which day. */
function PrintedAt() {
  const { data: firm } = useFirm();
  const day = formatDay(useToday());
  return (
    <p className="hidden text-note text-ink-2 print:mb-4 print:block">
      {[firm?.name, `Printed ${day}`].filter(Boolean).join(' · ')}
    </p>
  );
}

/** The client, the counsel and the other parties, each with its contact. */
function CaseContacts({ matter }: { matter: Case }) {
  const { data } = useResource(partiesOf, matter.id);
  const found = (data ?? []).flatMap(({ embedded, contact }) =>
    embedded === null ? [] : [[embedded, contact.id] as const],
  );
  return (
    <>
      <Parties matter={matter} contactIds={Object.fromEntries(found)} />
      <Suspense>
        <CaseParties caseId={matter.id} nameCheck={NameCheckLine} />
      </Suspense>
      <Link to={paths.conflictsOf('case', matter.id)} className="link -mt-3 text-sm print:hidden">
        Conflict checks of this case
      </Link>
    </>
  );
}

/** Upcoming dates of a case, with the forms that add to it. */
function CaseDates({ matter }: { matter: Case }) {
  const [adding, setAdding] = useState<'event' | 'deadline' | null>(null);
  const ownerId = useAppSelector((state) => state.user.current?.id ?? '');
  const today = useToday();
  const option = { id: matter.id, label: matter.caseName };
  const close = () => setAdding(null);
  const shared = { matter: option, caseField: CaseDropdown, onClose: close };
  return (
    <>
      <Suspense fallback={<div className="min-h-24" />}>
        <NextDates caseId={matter.id} onAdd={setAdding} />
      </Suspense>
      <Suspense fallback={null}>
        {adding === 'event' && <EventDialog {...shared} event={null} times={null} day={today} />}
        {adding === 'deadline' && <NewDeadlineDialog {...shared} ownerId={ownerId} />}
      </Suspense>
    </>
  );
}

interface CaseLibraryProps {
  caseId: string;
  subject: ChatSubject | null;
  onOpenChat: (subject: ChatSubject | null) => void;
}

/** The files of a case, with the chat and preview that open over the page. */
function CaseLibrary({ caseId, subject, onOpenChat }: CaseLibraryProps) {
  const { shown, show, close } = useShown(caseId);
  const isTrained = useIsTrained(subject);
  const library = useAppSelector(({ files }) => libraryOf(files, caseId));
  const places = useMemo(() => placesOf(library), [library]);
  return (
    <>
      <Suspense fallback={<LibrarySkeleton />}>
        <CaseFiles caseId={caseId} onAsk={(at) => onOpenChat({ caseId, ...at })} onShow={show} />
      </Suspense>
      <Suspense>{shown && <Preview shown={shown} onShow={show} onClose={close} />}</Suspense>
      <Suspense>
        {subject && (
          <ChatPopup
            key={JSON.stringify(subject)}
            subject={subject}
            isTrained={isTrained}
            places={places}
            onClose={() => onOpenChat(null)}
            hasNewer={({ folder, file_name: name, version = 1 }) =>
              version < (library?.details[contentUrl(caseId, folder, name)]?.version ?? 1)
            }
            onCitation={({ folder, file_name: name, version = 1, page, start, end, sentence }) =>
              show({ folder, name, version, page, passage: { start, end }, sentence })
            }
          />
        )}
      </Suspense>
    </>
  );
}

/** For a whole case, the server checks whether anything is trained. */
function useIsTrained(subject: ChatSubject | null): boolean {
  const url =
    subject?.folder === undefined || subject.name === undefined
      ? null
      : contentUrl(subject.caseId, subject.folder, subject.name);
  return useAppSelector(({ files }) => {
    if (url === null) return true;
    // Assumed until the library has loaded.
    const library = subject && libraryOf(files, subject.caseId);
    return !library || library.training[url] === 'trained';
  });
}

/** The open chat; an address with `ask` opens the chat of the whole case. */
function useChatInAddress(caseId: string) {
  const [params, setParams] = useSearchParams();
  const [subject, openChat] = useOpenChat(caseId);
  const isWanted = params.has('ask');
  useEffect(() => {
    if (!isWanted) return;
    openChat({ caseId });
    setParams(
      (now) => {
        now.delete('ask');
        return now;
      },
      { replace: true },
    );
  }, [isWanted, caseId, openChat, setParams]);
  return [subject, openChat] as const;
}

/** Scrolls to the element that the address's hash names. */
function useHash() {
  const { hash, key } = useLocation();
  const followed = useRef<string>(undefined);
  useEffect(() => {
    // The key changes with each navigation, so the same link works again.
    if (followed.current === key) return;
    followed.current = key;
    const part = hash === '' ? null : document.getElementById(hash.slice(1));
    part?.scrollIntoView({ block: 'center' });
    part?.focus({ preventScroll: true });
  }, [hash, key]);
}

/** The files of a case while their chunk loads. */
function LibrarySkeleton() {
  return (
    <section className="mt-6 border-t border-line pt-4" aria-busy="true">
      <SectionHeading>Files</SectionHeading>
      <Skeleton className="h-4 w-40" />
    </section>
  );
}

/** In place of a case that does not exist. */
function CaseNotFound() {
  return (
    <PageHeader title="Case not found">
      <p>No case has this address.</p>
      <Link to={paths.matters} className={cx(buttonClass(), 'mt-5')}>
        Go to Matters
      </Link>
    </PageHeader>
  );
}

/** In place of a page that the user may no longer see. */
function MatterLost() {
  return (
    <PageHeader title="No access">
      <p role="alert">You no longer have access to this matter.</p>
      <Link to={paths.matters} className={cx(buttonClass(), 'mt-5')}>
        Go to Matters
      </Link>
    </PageHeader>
  );
}

/** The dialog with all activity, opened and closed through the address. */
function useActivityAddress() {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const state = useLocation().state as { isFromCase?: boolean } | null;
  const close = () => {
    if (state?.isFromCase) void navigate(-1);
    else setParams({}, { replace: true });
  };
  return { isOpen: params.get('activity') === 'all', close };
}

/** The dialog 'Edit case' and the field that it begins with, opened and closed through the address. */
function useEditAddress() {
  const [params, setParams] = useSearchParams();
  return {
    first: params.get('edit'),
    open: (first: string) => setParams({ edit: first }),
    close: () => setParams({}, { replace: true }),
  };
}

/** The dialog that says who sees the case, opened and closed through the address. */
function useAccessAddress() {
  const [params, setParams] = useSearchParams();
  return {
    isOpen: params.get('access') === '1',
    open: () => setParams({ access: '1' }),
    close: () => setParams({}, { replace: true }),
  };
}
