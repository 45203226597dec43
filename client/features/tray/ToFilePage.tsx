// Papers, mails and texts that are in no matter yet.

import InboxIcon from 'lucide-react/icons/inbox';
import UploadIcon from 'lucide-react/icons/upload';
import { type DragEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import type { TrayItem } from '@matterdesk/contract/tray.ts';
import { Pending } from '../../core/Pending.tsx';
import { store } from '../../core/store.ts';
import { anyText, oneOf, useAddress } from '../../core/use-address.ts';
import { useResource } from '../../core/use-resource.ts';
import { useScreen } from '../../core/use-screen.ts';
import { formatCount } from '../../core/words.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FileInput } from '../../ui/FileInput.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SkeletonRows } from '../../ui/SkeletonRows.tsx';
import { calendarWindow } from '../calendar/slice.ts';
import { overviewOfDay } from '../dashboard/slice.ts';
import { boards, lists } from '../tasks/slice.ts';
import { TrayList } from './components/TrayList.tsx';
import { useTrayActions } from './hooks/use-tray-actions.ts';
import { sourceNames, sources, titleOf } from './rules.ts';
import { trayList } from './slice.ts';

const TaskDialog = lazy(async () => ({
  default: (await import('../tasks/components/TaskDialog.tsx')).TaskDialog,
}));

const PaperPage = lazy(async () => ({ default: (await import('./PaperPage.tsx')).PaperPage }));

const UnfiledUploads = lazy(async () => ({
  default: (await import('../files/components/UnfiledUploads.tsx')).UnfiledUploads,
}));

const CaseDropdown = lazy(async () => ({
  default: (await import('../cases/components/CaseDropdown.tsx')).CaseDropdown,
}));

const schema = { source: oneOf(sources), item: anyText, view: oneOf(['list']) };
const NONE: readonly TrayItem[] = [];
/** Milliseconds during which several changes are combined into one fetch. */
const GATHER = 150;

/** The tray: a list of papers, the chosen one, and where it belongs. */
export function ToFilePage() {
  const { address, change } = useAddress(schema, { isBackUndo: useScreen() === 'phone' });
  const { source, view } = address;
  const list = useResource(trayList, source, { gather: GATHER });
  const { data } = list;
  const items = data?.items ?? NONE;
  const at = useChosen(items, address.item);
  const item = items[at];
  const page = useRef<HTMLDivElement>(null);
  const open = (id: string) => change({ item: id, view: '' });
  const actions = useTrayActions(item, { page, onTasks: tasksChanged, onBack: open });
  const drop = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      void upload([...event.dataTransfer.files]);
    },
  };
  const isEmpty = items.length === 0 && (data !== null || list.failure !== null);
  return (
    <div ref={page} {...drop} className="tray">
      <title>To file · Matterdesk</title>
      <h1 className="sr-only">To file</h1>
      <div data-view={isEmpty ? 'empty' : view || 'item'} className="tray-panes">
        <TrayList
          page={data}
          failure={list.failure?.message ?? null}
          hasMore={list.cursor !== null}
          source={source}
          open={item?.id ?? null}
          onSource={(chosen) => change({ source: chosen, item: '' })}
          onOpen={open}
          onStep={open}
          onMore={list.grow}
          onRetry={list.refresh}
          onUndo={actions.undo}
          upload={<UploadButton isSmall />}
          sendings={
            <Suspense>
              <UnfiledUploads />
            </Suspense>
          }
        />
        <div className="tray-item">
          {data === null ? (
            <Pending of={list} what="the papers">
              <Waiting />
            </Pending>
          ) : item ? (
            <Suspense fallback={<Waiting />}>
              <PaperPage
                item={item}
                place={`${formatCount(at + 1)} of ${formatCount(data.total)}`}
                actions={actions}
                onList={() => change({ view: 'list' })}
              />
            </Suspense>
          ) : (
            <Nothing source={source} onAll={() => change({ source: '' })} />
          )}
        </div>
      </div>
      <Suspense>
        {actions.dialog && item && actions.choice.matter && (
          <TaskDialog
            task={null}
            column="intake"
            matter={actions.choice.matter}
            together={{
              subtitle: `With ${titleOf(item)}, in ${actions.choice.matter.label}`,
              submit: 'File with this task',
              save: actions.fileWithTask,
            }}
            caseField={CaseDropdown}
            onClose={actions.closeDialog}
          />
        )}
      </Suspense>
    </div>
  );
}

/** Index of the item that is shown: the wanted one, or the one that took its place; -1 without items. */
function useChosen(items: readonly TrayItem[], wanted: string): number {
  const [place, setPlace] = useState(0);
  const found = items.findIndex(({ id }) => id === wanted);
  if (found !== -1 && found !== place) setPlace(found);
  return found === -1 ? Math.min(place, items.length - 1) : found;
}

/** The server sends its own socket no event. */
function tasksChanged(caseId: string): void {
  store.dispatch(boards.invalidated(caseId));
  store.dispatch(lists.invalidated());
  store.dispatch(overviewOfDay.invalidated());
  store.dispatch(calendarWindow.invalidated());
}

/** The places of the item and of its matters until the list is read. */
function Waiting() {
  return (
    <div className="flex h-full flex-col" aria-busy="true">
      <div className="tray-head">
        <div className="space-y-2 py-1">
          <Skeleton className="h-5 w-64 max-w-full" />
          <Skeleton className="h-3.5 w-48 max-w-full" />
        </div>
      </div>
      <div className="tray-body">
        <div className="tray-paper" />
        <div className="tray-where">
          <SkeletonRows count={3} className="h-20" />
        </div>
      </div>
    </div>
  );
}

interface NothingProps {
  source: keyof typeof sourceNames | '';
  onAll: () => void;
}

function Nothing({ source, onAll }: NothingProps): ReactNode {
  if (source !== '')
    return (
      <EmptyState
        icon={InboxIcon}
        title={`No ${sourceNames[source].toLowerCase()} to file`}
        action={<Button onClick={onAll}>Show all</Button>}
      />
    );
  return (
    <EmptyState icon={InboxIcon} title="Nothing to file" action={<UploadButton />}>
      Mails and texts from people of your matters, papers that you upload without a matter, and
      those from the office scanner wait here until they are filed.
    </EmptyState>
  );
}

async function upload(files: readonly File[]) {
  if (files.length === 0) return;
  const { sendFiles } = await import('../files/api.uploads.ts');
  sendFiles({ caseId: '', folder: '' }, files);
}

/** Files go into the tray. */
function UploadButton({ isSmall = false }: { isSmall?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  return (
    <>
      {isSmall ? (
        <IconButton label="Upload" icon={UploadIcon} variant="quiet" onClick={choose} />
      ) : (
        <Button icon={UploadIcon} variant="primary" onClick={choose}>
          Upload papers
        </Button>
      )}
      <FileInput
        ref={input}
        multiple
        aria-label="Papers to upload"
        onFiles={(files) => void upload(files)}
      />
    </>
  );
}
