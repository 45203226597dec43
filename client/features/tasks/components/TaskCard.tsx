import Pencil from 'lucide-react/icons/pencil';
import { memo, useEffect, useRef } from 'react';
import { columnTitles } from '@matterdesk/contract/columns.ts';
import { useAppSelector } from '../../../core/store.ts';
import { cx } from '../../../ui/cx.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { formatDay, formatMoment } from '../rules.ts';
import { selectCards } from '../slice.ts';
import { CardText } from './CardText.tsx';
import { CardTag } from './CardTag.tsx';
import { DoneBox } from './DoneBox.tsx';
import { Lateness } from './Lateness.tsx';
import { MoveMenu } from './MoveMenu.tsx';
import { cardElementId, takeAwaited, useIsTabStop } from './use-active-card.ts';
import { useCardDrag } from './use-card-drag.ts';
import { useTag } from './use-tag.ts';

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
        'group/card relative cursor-grab rounded-card border bg-surface px-3 py-[11px]',
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
          className="pt-px text-base/[19px] font-strong wrap-anywhere pointer-coarse:pt-3"
        >
          {task.name}
        </h3>
      </div>
      <CardText text={task.description} tabIndex={tabIndex} />
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-px text-note/[18px] wrap-anywhere pointer-coarse:pr-9 [&_dt]:text-ink-3">
        <dt>Start</dt>
        <dd className="tabular-nums">
          <time dateTime={startTime} title={formatMoment(startTime)}>
            {formatDay(startTime)}
          </time>
        </dd>
        <dt>End</dt>
        <dd className="tabular-nums">
          <time dateTime={endTime} title={formatMoment(endTime)}>
            {formatDay(endTime)}
          </time>
          <Lateness endTime={endTime} />
        </dd>
        <dt>Type</dt>
        <dd>{columnTitles[task.type]}</dd>
        <dt>Assigned To</dt>
        <dd>{`${assignedTo.firstName} ${assignedTo.lastName}`}</dd>
      </dl>
      {onEdit && (
        <IconButton
          label={`Edit ${task.name}`}
          icon={Pencil}
          variant="quiet"
          size="small"
          tabIndex={tabIndex}
          className="absolute top-1.5 right-1.5 text-ink-3! hover:text-ink!"
          onClick={() => onEdit(id)}
        />
      )}
      <MoveMenu task={task} tabIndex={tabIndex} />
    </div>
  );
});
