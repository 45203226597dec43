// The board of tasks.

import FolderSearch from 'lucide-react/icons/folder-search';
import Plus from 'lucide-react/icons/plus';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import type { ColumnId } from '@matterdesk/contract/columns.ts';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { store, useAppSelector } from '../../core/store.ts';
import { useNewInAddress } from '../../core/use-new-in-address.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { toast } from '../../ui/toast-store.ts';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { Board } from './components/Board.tsx';
import { BoardFailure } from './components/BoardFailure.tsx';
import { CaseDropdown } from '../cases/components/CaseDropdown.tsx';
import { selectCards } from './slice.ts';
import { useBoard } from './components/use-board.ts';
import { useCardOfAddress } from './components/use-card-of-address.ts';
import { ViewSwitch } from './components/ViewSwitch.tsx';
import { useMatter } from '../cases/components/use-matter.ts';

const loadDialog = () => import('./components/TaskDialog.tsx');
const TaskDialog = lazy(async () => ({ default: (await loadDialog()).TaskDialog }));

type Opened = { task: Task | null; column: ColumnId };

const TaskListPage = lazy(async () => ({
  default: (await import('./TaskListPage.tsx')).TaskListPage,
}));

/** Tasks: the list of what someone has to do, or the board of a case. */
export function TasksPage() {
  const [params] = useSearchParams();
  if (params.get('view') !== 'mine') return <BoardPage />;
  return (
    <Suspense fallback={null}>
      <TaskListPage />
    </Suspense>
  );
}

/** The tasks board of the case that the address names. */
function BoardPage() {
  const [params, setParams] = useSearchParams();
  const caseId = params.get('case') || null;
  const { matter, setPicked } = useMatter(caseId);
  const { failure, isLoading, isStale, refresh } = useBoard(caseId);
  useCardOfAddress(isLoading);
  const canEdit = useAppSelector((state) => state.user.current?.permissions.editTasks === true);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = useCallback(() => setOpened(null), []);
  useEffect(() => {
    // Preloaded, so that it opens at once; users without the permission never open it.
    if (canEdit) void loadDialog().catch(() => undefined);
  }, [canEdit]);

  const open = useCallback(
    (subject: Opened) => {
      if (canEdit) setOpened(subject);
      else toast.error(errorCodes.notPermitted.message);
    },
    [canEdit],
  );
  const handleNew = useCallback((column: ColumnId) => open({ task: null, column }), [open]);
  useNewInAddress(() => handleNew('intake'), canEdit);
  const handleEdit = useCallback(
    (id: string) => {
      const task = selectCards(store.getState().tasks)[id];
      if (task) open({ task, column: task.type });
    },
    [open],
  );

  return (
    <div className="flex h-full flex-col">
      <PageHeader
        title="Tasks"
        actions={
          <>
            <ViewSwitch isList={false} />
            <CaseDropdown
              aria-label="Case"
              withIcon
              className={cx(
                'w-80',
                canEdit ? 'max-sm:w-[calc(100vw-10rem)]' : 'max-sm:w-[calc(100vw-2rem)]',
              )}
              value={matter}
              onChange={(option) => {
                setPicked(option);
                setParams(option ? { case: option.id } : {});
              }}
            />
            {canEdit && (
              <Button variant="primary" icon={Plus} onClick={() => handleNew('intake')}>
                New Task
              </Button>
            )}
          </>
        }
      />
      {isStale && (
        <div className="mt-3 px-4 sm:px-9">
          <StaleNotice onRetry={refresh}>
            This board may be out of date: the server isn’t responding.
          </StaleNotice>
        </div>
      )}
      {failure ? (
        <BoardFailure status={failure} onRetry={refresh} />
      ) : (
        <Board
          isChosen={caseId !== null}
          isLoading={isLoading}
          canEdit={canEdit}
          onNew={handleNew}
          onEdit={handleEdit}
        >
          <EmptyState icon={FolderSearch} title="No case chosen">
            Choose a case to see its board.
          </EmptyState>
        </Board>
      )}
      {opened && (
        <Suspense fallback={null}>
          <TaskDialog {...opened} matter={matter} caseField={CaseDropdown} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
