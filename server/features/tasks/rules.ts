import {
  columnIds,
  columnTitles,
  type Board,
  type ColumnId,
  type Task,
} from '@matterdesk/contract/tasks.ts';

/** Puts tasks, in their order, into the five columns. */
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

/** What a change is called in the log. */
export function nameOfChange(before: Task, after: Task): 'moved' | 'updated' {
  return before.type === after.type ? 'updated' : 'moved';
}
