import { attachClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/attach-closest-edge';
import {
  draggable,
  dropTargetForElements,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/utils/combine';
import { preserveOffsetOnSource } from '@atlaskit/pragmatic-drag-and-drop/utils/preserve-offset-on-source';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import Pencil from 'lucide-react/icons/pencil';
import { memo, useEffect, useRef, useState, type RefObject } from 'react';
import { columnTitles, type ColumnId, columnIds } from '@matterdesk/contract/columns.ts';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { fullName } from '../../../core/full-name.ts';
import { useAppSelector, store } from '../../../core/store.ts';
import { exactMoment, distanceInWords } from '../../../core/words.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { daysBetween, localDay, useToday } from '../../../ui/days.ts';
import { type MenuEntry, MenuButton } from '../../../ui/Menu.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { cardElementId, takeAwaited, useIsTabStop } from '../hooks/use-active-card.ts';
import { besideInColumn, putCard } from '../hooks/use-moves.ts';
import { formatDay } from '../rules.ts';
import { selectCards, type Tag } from '../slice.ts';
import { DoneBox } from './DoneBox.tsx';

interface TaskCardProps {
  id: string;
  /** Undefined for users who may not change tasks. */
  onEdit: ((id: string) => void) | undefined;
}

/** A task on the board, moved by pointer or by keys. */
export const TaskCard = memo(function TaskCard({ id, onEdit }: TaskCardProps) {
  const task = useAppSelector((state) => selectCards(state.tasks)[id]);
  const movingTo = useAppSelector((state) => state.tasks.moving[id]);
  const tag = useTag(id);
  const tabIndex = useIsTabStop(id) ? 0 : -1;
  const card = useRef<HTMLDivElement>(null);
  useCardDrag(id, card);
  useEffect(() => {
    if (takeAwaited(id)) card.current?.focus();
  }, [id]);
  if (!task) return null;
  const { assignedTo, startTime, endTime } = task;
  return (
    <div
      ref={card}
      id={cardElementId(id)}
      data-card={id}
      role="group"
      aria-labelledby={`${cardElementId(id)}-name`}
      aria-describedby="board-keys"
      aria-busy={movingTo !== undefined || undefined}
      tabIndex={tabIndex}
      className={cx(
        'group/card relative cursor-grab rounded-card border bg-surface px-3 py-[7px]',
        'data-dragging:opacity-45 data-preview:rotate-[1.2deg] data-preview:border-accent data-preview:shadow-float',
        tag || movingTo ? 'border-accent' : 'border-line',
      )}
    >
      <CardTag tag={tag} movingTo={movingTo} />
      <div className="mb-[3px] flex items-start gap-1 pr-7 pointer-coarse:pr-10">
        <DoneBox task={task} tabIndex={tabIndex} className="-mt-0.5 -ml-1" />
        <h3
          id={`${cardElementId(id)}-name`}
          dir="auto"
          title={task.name}
          className="mt-px line-clamp-2 text-base/[18px] font-strong wrap-anywhere pointer-coarse:mt-3"
        >
          {task.name}
        </h3>
      </div>
      <CardText text={task.description} tabIndex={tabIndex} />
      <dl className="mt-1 grid grid-cols-[4.75rem_minmax(0,1fr)] gap-x-2 text-note/[15px] pointer-coarse:pr-9 [&_dt]:text-xs/3 [&_dt]:text-ink-3">
        <div>
          <dt>Start</dt>
          <dd className="tabular-nums">
            <time dateTime={startTime} title={exactMoment(startTime)}>
              {formatDay(startTime)}
            </time>
          </dd>
        </div>
        <div className="grid grid-cols-[auto_1fr]">
          <dt className="row-start-1">End</dt>
          <dd className="contents tabular-nums">
            <time
              dateTime={endTime}
              title={exactMoment(endTime)}
              className="col-span-2 row-start-2 justify-self-start"
            >
              {formatDay(endTime)}
            </time>
            <Lateness endTime={endTime} />
          </dd>
        </div>
        <CardFact label="Type" value={columnTitles[task.type]} />
        <CardFact label="Assigned To" value={fullName(assignedTo)} />
      </dl>
      {onEdit && (
        <IconButton
          label={`Edit ${task.name}`}
          icon={Pencil}
          variant="quiet"
          size="small"
          tabIndex={tabIndex}
          className="absolute top-1.5 right-1.5 text-ink-3! opacity-0 transition-opacity group-focus-within/card:opacity-100 group-hover/card:opacity-100 hover:text-ink! pointer-coarse:opacity-100"
          onClick={() => onEdit(id)}
        />
      )}
      <MoveMenu task={task} tabIndex={tabIndex} />
    </div>
  );
});

/** A value that is cut to its line, and whole under the pointer. */
function CardFact({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt>{label}</dt>
      <dd className="truncate" title={value}>
        {value}
      </dd>
    </div>
  );
}

/** '2 days late' in red beside the end of a task whose day is over; else nothing. */
function Lateness({ endTime }: { endTime: string }) {
  const left = daysBetween(useToday(), localDay(new Date(endTime)));
  if (left >= 0) return null;
  return (
    <span className="col-start-2 row-start-1 ml-1.5 text-xs/3 font-medium whitespace-nowrap text-red">
      {distanceInWords(left)}
    </span>
  );
}

/** The name tag of a card that another user has moved, for as long as it is shown. */
function useTag(id: string): Tag | undefined {
  const tag = useAppSelector((state) => state.tasks.tags[id]);
  const until = tag?.until;
  const [passed, setPassed] = useState(() =>
    until !== undefined && until <= Date.now() ? until : undefined,
  );
  useEffect(() => {
    if (until === undefined) return undefined;
    const timer = setTimeout(setPassed, until - Date.now(), until);
    return () => clearTimeout(timer);
  }, [until]);
  return until === passed ? undefined : tag;
}

interface CardTagProps {
  tag: Tag | undefined;
  movingTo: ColumnId | undefined;
}

/** A tag on a card's upper edge: where it is moving to, or who just moved it. */
function CardTag({ tag, movingTo }: CardTagProps) {
  if (movingTo === undefined && !tag) return null;
  const words = tag?.mover ? `${tag.mover} just moved this` : 'Just moved';
  return (
    <span
      className={cx(
        'absolute -top-2.5 right-2 z-10 flex max-w-[calc(100%-1rem)] items-center gap-1.5 rounded-full bg-accent-soft px-2 text-xs/5 font-medium text-accent-ink',
        movingTo ? 'animate-delayed' : 'animate-appear',
      )}
    >
      {movingTo && <Spinner className="size-3" />}
      <span className="truncate">{movingTo ? `Moving to ${columnTitles[movingTo]}` : words}</span>
    </span>
  );
}

/** Every move that dragging can make, for touch, for the keyboard and for users who do not drag. */
function MoveMenu({ task: { id, name, type }, tabIndex }: { task: Task; tabIndex: number }) {
  const shift = (step: -1 | 1) => {
    const spot = besideInColumn(id, step);
    if (spot) putCard(id, spot);
  };
  const entries: MenuEntry[] = [
    ...columnIds.map((column) => ({
      label: columnTitles[column],
      current: column === type,
      onSelect: () => putCard(id, { column, before: null }),
    })),
    'line',
    { label: 'Move up', onSelect: () => shift(-1) },
    { label: 'Move down', onSelect: () => shift(1) },
  ];
  return (
    <MenuButton
      label={`Move to… ${name}`}
      heading="Move to…"
      icon={ArrowRightLeft}
      size="small"
      tabIndex={tabIndex}
      entries={entries}
      className="absolute right-2 -bottom-3 z-10 size-6! rounded-full! border-line-strong bg-surface text-ink-2 opacity-0 shadow-float transition-opacity group-focus-within/card:opacity-100 group-hover/card:opacity-100 aria-expanded:opacity-100 pointer-coarse:right-0.5 pointer-coarse:bottom-0.5 pointer-coarse:size-11! pointer-coarse:border-transparent pointer-coarse:opacity-100 pointer-coarse:shadow-none"
    />
  );
}

/** Characters that a line of a card holds at most. */
const LINE = 28;

/** The first line of a task's description; a longer one opens in place. */
function CardText({ text, tabIndex }: { text: string; tabIndex: number }) {
  const [isWhole, setIsWhole] = useState(false);
  if (text === '') return null;
  const isLong = text.length > LINE || text.includes('\n');
  return (
    <div className="flex items-end gap-1.5 text-sm/[18px]">
      <p
        dir="auto"
        className={cx(
          'min-w-0 grow wrap-anywhere text-ink-2',
          isLong && !isWhole ? 'line-clamp-1' : 'whitespace-pre-line',
        )}
      >
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          tabIndex={tabIndex}
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="flex-none text-note/[18px] link pointer-coarse:min-h-11"
        >
          {isWhole ? 'Less' : 'More'}
        </button>
      )}
    </div>
  );
}

/**
 * Makes a card draggable, and its row a drop target. Feedback during a drag is written straight to the
 * document: React renders nothing until the drop.
 */
function useCardDrag(id: string, card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = card.current;
    const row = element?.closest('li');
    if (!element || !row) return undefined;
    return combine(
      draggable({
        element,
        canDrag: () => store.getState().tasks.moving[id] === undefined,
        getInitialData: () => ({ cardId: id }),
        onGenerateDragPreview: ({ nativeSetDragImage, location }) =>
          setCustomNativeDragPreview({
            nativeSetDragImage,
            getOffset: preserveOffsetOnSource({ element, input: location.current.input }),
            render: ({ container }) => container.append(previewOf(element)),
          }),
        onDragStart: () => element.toggleAttribute('data-dragging', true),
        onDrop: () => element.toggleAttribute('data-dragging', false),
      }),
      dropTargetForElements({
        element: row,
        getData: ({ input, element: over }) =>
          attachClosestEdge(
            { rowOf: id },
            { input, element: over, allowedEdges: ['top', 'bottom'] },
          ),
      }),
    );
  }, [id, card]);
}

function previewOf(element: HTMLElement): HTMLElement {
  const { width, height } = element.getBoundingClientRect();
  const copy = element.cloneNode(true) as HTMLElement;
  copy.removeAttribute('id');
  Object.assign(copy.style, { width: `${width}px`, height: `${height}px` });
  copy.toggleAttribute('data-preview', true);
  return copy;
}
