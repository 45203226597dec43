import { columnIds, columnTitles, type ColumnId } from '@matterdesk/contract/columns.ts';
import type { Board, Task } from '@matterdesk/contract/tasks.ts';

/** Groups tasks by column, keeping their order. */
export function arrangeBoard(tasks: Task[]): Board {
  const column = <Id extends ColumnId>(id: Id) => ({
    id,
    title: columnTitles[id],
    items: tasks.filter((task) => task.type === id),
  });
  return {
    columns: {
      intake: column('intake'),
      demandOfInsurance: column('demandOfInsurance'),
      finalLawsuit: column('finalLawsuit'),
      discovery: column('discovery'),
      adr: column('adr'),
    },
    columnOrder: [...columnIds],
  };
}

/** Action of the audit entry. */
export function nameOfChange(before: Task, after: Task): 'moved' | 'updated' {
  return before.type === after.type ? 'updated' : 'moved';
}
