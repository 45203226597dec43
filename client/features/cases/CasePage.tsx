import '../../ui/matter-page.css';
import FilePlus from 'lucide-react/icons/file-plus';
import Sparkles from 'lucide-react/icons/sparkles';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import { type Case, COUNTED_FILES_MAX } from '@matterdesk/contract/cases.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { paths } from '../../core/paths.ts';
import { useRecordView } from '../../core/recently-viewed.ts';
import { keyOf } from '../../core/resource.ts';
import { useAppDispatch, useAppSelector, useMay } from '../../core/store.ts';
import { showsAllChanges } from '../../core/tab-storage.ts';
import { useFirm } from '../../core/use-firm.ts';
import { BATCH_MS, useResource } from '../../core/use-resource.ts';
import { formatCount } from '../../core/words.ts';
import { buttonClass, Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { formatDay, useToday } from '../../ui/days.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import type { Option } from '../../ui/option.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { TabPanel } from '../../ui/Tabs.tsx';
import type { ChatSubject } from '../ai/hooks/use-conversation.ts';
import { useOpenChat } from '../ai/hooks/use-open-chat.ts';
import { trainedFoldersOf } from '../ai/rules.ts';
import { useDateCount } from '../calendar/hooks/use-next-dates.ts';
import { NameCheckLine } from '../conflicts/components/NameCheckLine.tsx';
import { partiesOf } from '../contacts/slice.ts';
import { caseLibrary } from '../files/api.ts';
import { usePreview } from '../files/hooks/use-preview.ts';
import { libraryOf } from '../files/slice.ts';
import { board } from '../tasks/api.ts';
import { caseActivity, caseDetails, recheckAccess } from './api.ts';
import { CaseDetails, DetailsColumn, LatestActivity, Parties } from './components/CaseDetails.tsx';
import { CaseDropdown } from './components/CaseDropdown.tsx';
import { CaseHeader, CaseMenu } from './components/CaseHeader.tsx';
import { useMatterAddress, useTopOfTab, type CaseTab, PANEL } from './hooks/use-matter-address.ts';
import { useMedium } from './hooks/use-medium.ts';

const AccessDialog = lazyNamed(
  () => import('../access/components/AccessDialog.tsx'),
  'AccessDialog',
);

const CaseParties = lazyNamed(
  () => import('../contacts/components/CaseParties.tsx'),
  'CaseParties',
);
const NextDates = lazyNamed(() => import('../calendar/components/CaseDates.tsx'), 'NextDates');
const NewDocumentPage = lazyNamed(
  () => import('../templates/NewDocumentPage.tsx'),
  'NewDocumentPage',
);
const ExportMatterDialog = lazyNamed(
  () => import('../packs/components/ExportMatterDialog.tsx'),
  'ExportMatterDialog',
);
const EventDialog = lazyNamed(
  () => import('../calendar/components/EventDialog.tsx'),
  'EventDialog',
);
const NewDeadlineDialog = lazyNamed(
  () => import('../deadlines/components/NewDeadlineDialog.tsx'),
  'NewDeadlineDialog',
);

const StreamPage = lazyNamed(() => import('../stream/StreamPage.tsx'), 'StreamPage');
const CaseTasks = lazyNamed(() => import('../tasks/components/CaseTasks.tsx'), 'CaseTasks');
const CaseDates = lazyNamed(() => import('../calendar/components/CaseDates.tsx'), 'CaseDates');
const CaseFiles = lazyNamed(() => import('../files/components/CaseFiles.tsx'), 'CaseFiles');
const ChatPopup = lazyNamed(() => import('../ai/components/ChatPopup.tsx'), 'ChatPopup');
const Preview = lazyNamed(() => import('../files/components/Preview.tsx'), 'Preview');

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

/** From the store at once, then from the server. */
function useCase(id: string) {
  const matter = useAppSelector((state) => state.cases.entities[id]);
  const wasLost = useAppSelector((state) => state.cases.lost[id] === true);
  const { failure, refresh } = useResource(caseDetails, id, { batchMs: BATCH_MS });
  const dispatch = useAppDispatch();
  const isHidden = failure?.status === 404 && matter !== undefined;
  useEffect(() => {
    // Lost while this browser was away, so that no event reported it.
    if (isHidden) dispatch(matterLost(id));
  }, [dispatch, id, isHidden]);
  return { matter, failure, refresh, wasLost };
}

function CaseView({ matter }: { matter: Case }) {
  const canChange = useMay('createCases');
  const canExport = useMay('exportMatters');
  const story = useResource(caseActivity, matter.id, { batchMs: BATCH_MS });
  const failure = story.failure?.message ?? null;
  const { tab, choose, edit, access, exporting, letter } = useMatterAddress();
  const dispatch = useAppDispatch();
  const [subject, openChat] = useChatInAddress(matter.id);
  const medium = useMedium();
  const counts = useCounts(matter);
  const top = useTopOfTab(tab);
  useHash();
  useRecordView('case', matter.id);
  const details = {
    matter,
    onFill: canChange ? edit.open : undefined,
    parties: <CaseContacts matter={matter} />,
    dates: <DatesBlock matter={matter} />,
    activity: (
      <LatestActivity
        caseId={matter.id}
        story={story.data}
        failure={failure}
        onRetry={story.refresh}
      />
    ),
  };
  return (
    <>
      <CaseHeader
        matter={matter}
        tab={tab}
        counts={counts}
        onTab={choose}
        actions={
          <>
            <Button icon={FilePlus} onClick={letter.open}>
              New document
            </Button>
            <Button icon={Sparkles} onClick={() => openChat({ caseId: matter.id })}>
              Ask this case
            </Button>
            <CaseMenu
              matter={matter}
              edit={edit}
              canChange={canChange}
              onAccess={access.open}
              onExport={canExport ? exporting.open : undefined}
            />
          </>
        }
      />
      <div ref={top} className="printed-sheet px-4 pt-5 pb-9 sm:px-9">
        <PrintedAt />
        {medium === 'paper' && tab !== 'details' && <CaseDetails {...details} />}
        <div className={tab === 'details' ? '' : 'matter-grid'}>
          <TabPanel id={PANEL} value={tab} className="min-w-0">
            {tab === 'details' && <CaseDetails {...details} />}
            {tab === 'stream' && (
              <StreamPage matter={optionOf(matter)} fallback={<TabSkeleton title="Stream" />} />
            )}
            {tab === 'files' && <FilesTab caseId={matter.id} onOpenChat={openChat} />}
            {tab === 'tasks' && (
              <CaseTasks
                matter={optionOf(matter)}
                caseField={CaseDropdown}
                fallback={<TabSkeleton title="Tasks" />}
              />
            )}
            {tab === 'dates' && <DatesTab matter={matter} />}
          </TabPanel>
          {medium === 'wide' && tab !== 'details' && <DetailsColumn {...details} />}
        </div>
        <Overlays caseId={matter.id} subject={subject} onOpenChat={openChat} />
      </div>
      {letter.template !== null && (
        <NewDocumentPage matter={matter} template={letter.template} onClose={letter.close} />
      )}
      {exporting.isOpen && canExport && (
        <ExportMatterDialog matter={matter} onClose={exporting.close} />
      )}
      {access.isOpen && (
        <AccessDialog
          kind="cases"
          id={matter.id}
          name={matter.caseName}
          onSaved={() => void dispatch(recheckAccess(matter.id))}
          onClose={access.close}
        />
      )}
    </>
  );
}

/** Counts beside the tabs, the same on every screen; that of the stream is known once it was opened. */
function useCounts({ id, fileCount }: Case): Partial<Record<CaseTab, string | undefined>> {
  // One that is out of date is read again when its tab opens; the case is read again at once.
  const held = useAppSelector(({ files: { libraries } }) => {
    const library = libraries[keyOf(id)];
    return library?.stale ? undefined : library?.data?.details;
  });
  // A failure is left to the tab, which says so and asks again.
  const [hasFailed, setHasFailed] = useState(false);
  const { failure } = useResource(board, hasFailed ? null : id);
  if (failure && !hasFailed) setHasFailed(true);
  const cards = useAppSelector(({ tasks }) => tasks.boards[keyOf(id)]?.data);
  const [params] = useSearchParams();
  const me = useAppSelector(({ user }) => user.current?.id);
  const isWhole = showsAllChanges(me) || (params.get('kinds') ?? '').split(',').includes('all');
  const stream = useAppSelector(({ stream: { streams } }) => {
    const [plain, whole] = [{ caseId: id }, { caseId: id, kinds: 'all' }].map(
      (query) => streams[keyOf(query)]?.data,
    );
    return isWhole ? (whole ?? plain) : (plain ?? whole);
  });
  const dates = useDateCount(id);
  const open = useMemo(
    () => cards && Object.values(cards).filter(({ doneAt }) => !doneAt),
    [cards],
  );
  return {
    stream: inWords(stream?.total),
    files: held
      ? inWords(Object.keys(held).length)
      : inWords(fileCount, fileCount !== undefined && fileCount >= COUNTED_FILES_MAX),
    tasks: inWords(open?.length),
    dates: inWords(dates),
  };
}

/** A count that is not known yet keeps the room of one figure. */
function inWords(count: number | undefined, isCapped = false): string {
  if (count === undefined) return FIGURE_SPACE;
  return isCapped ? `${formatCount(count - 1)}+` : formatCount(count);
}

const FIGURE_SPACE = '\u2007';

/** On paper: the firm, and the day of the print. */
function PrintedAt() {
  const { data: firm } = useFirm();
  const day = formatDay(useToday());
  return (
    <p className="hidden text-note text-ink-2 print:mb-4 print:block">
      {[firm?.name, `Printed ${day}`].filter(Boolean).join(' · ')}
    </p>
  );
}

interface ChatProps {
  caseId: string;
  onOpenChat: (subject: ChatSubject | null) => void;
}

/** The files of a case by folder. */
function FilesTab({ caseId, onOpenChat }: ChatProps) {
  const { show } = usePreview(caseId);
  return (
    <CaseFiles
      caseId={caseId}
      onAsk={(at) => onOpenChat({ caseId, ...at })}
      onShow={show}
      fallback={<TabSkeleton title="Files" />}
    />
  );
}

/** The client, the counsel and the other parties, each with its contact. */
function CaseContacts({ matter }: { matter: Case }) {
  const { data } = useResource(partiesOf, matter.id);
  const found = (data ?? []).flatMap(({ embedded, contact }) =>
    embedded === null ? [] : [[embedded, contact.id] as const],
  );
  return (
    <div className="matter-parties">
      <Parties matter={matter} contactIds={Object.fromEntries(found)} />
      <CaseParties caseId={matter.id} nameCheck={NameCheckLine} />
      <Link to={paths.conflictsOf('case', matter.id)} className="link -mt-3 text-sm print:hidden">
        Conflict checks of this case
      </Link>
    </div>
  );
}

/** Upcoming dates of a case, with the forms that add to it. */
function DatesBlock({ matter }: { matter: Case }) {
  const [adding, setAdding] = useState<NewDateKind | null>(null);
  return (
    <>
      <NextDates caseId={matter.id} onAdd={setAdding} fallback={<div className="min-h-24" />} />
      <AddDate matter={matter} adding={adding} onClose={() => setAdding(null)} />
    </>
  );
}

/** Kinds of what a user adds to a matter's dates. */
type NewDateKind = 'event' | 'deadline';

interface AddDateProps {
  matter: Case;
  adding: NewDateKind | null;
  onClose: () => void;
}

/** The form that adds an event or a deadline to a matter. */
function AddDate({ matter, adding, onClose }: AddDateProps) {
  const ownerId = useAppSelector((state) => state.user.current?.id ?? '');
  const today = useToday();
  const shared = { matter: optionOf(matter), caseField: CaseDropdown, onClose };
  return (
    <>
      {adding === 'event' && <EventDialog {...shared} event={null} times={null} day={today} />}
      {adding === 'deadline' && <NewDeadlineDialog {...shared} ownerId={ownerId} />}
    </>
  );
}

/** A matter as the fields of forms name it. */
function optionOf({ id, caseName }: Case): Option {
  return { id, label: caseName };
}

/** Deadlines and events of a case, with the forms that add to them. */
function DatesTab({ matter }: { matter: Case }) {
  const [adding, setAdding] = useState<NewDateKind | null>(null);
  return (
    <>
      <CaseDates caseId={matter.id} onAdd={setAdding} fallback={<TabSkeleton title="Dates" />} />
      <AddDate matter={matter} adding={adding} onClose={() => setAdding(null)} />
    </>
  );
}

/** The preview and the chat, which open over any tab. */
function Overlays({ caseId, subject, onOpenChat }: ChatProps & { subject: ChatSubject | null }) {
  const { shown, show, close } = usePreview(caseId);
  const isTrained = useIsTrained(subject);
  // The chat names places and newer versions.
  const { data: library } = useResource(caseLibrary, subject && caseId);
  const places = useMemo(() => trainedFoldersOf(library), [library]);
  return (
    <>
      {shown && <Preview shown={shown} onShow={show} onClose={close} />}
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

/** A tab while its chunk loads. */
function TabSkeleton({ title }: { title: string }) {
  return (
    <section aria-busy="true">
      <div className="mb-2 flex h-[34px] items-center pointer-coarse:h-11">
        <h2 className="text-heading font-semibold">{title}</h2>
      </div>
      <Skeleton className="h-4 w-40" />
    </section>
  );
}

/** In place of a case that does not exist. */
function CaseNotFound() {
  return (
    <PageHeader title="Case not found">
      <p>This case doesn’t exist, or the link is wrong.</p>
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

/** The page of a case while it loads. */
function CaseSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading the case" role="status">
      <div className="matter-header border-b border-line">
        <div className="page-header px-4 sm:px-9">
          <Skeleton className="mt-2 h-3 w-40" />
          <Skeleton className="mt-3 h-8 w-96 max-w-full" />
          <Skeleton className="mt-3 h-5 w-56" />
          <Skeleton className="mt-4 mb-3 h-3.5 w-64" />
        </div>
      </div>
      <div className="px-4 pt-5 sm:px-9">
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index} className="mt-5 h-3.5 w-2/3" />
        ))}
      </div>
    </div>
  );
}
