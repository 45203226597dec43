import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import { columnIds, columnTitles } from '@matterdesk/contract/columns.ts';
import type { Task } from '@matterdesk/contract/tasks.ts';
import type { MenuEntry } from '../../../ui/Menu.tsx';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { besideInColumn, putCard } from './use-moves.ts';

/** Every move that dragging can make, for touch, for the keyboard and for users who do not drag. */
export function MoveMenu({ task: { id, name, type }, tabIndex }: { task: Task; tabIndex: number }) {
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
