import type { User } from '@matterdesk/contract/accounts.ts';
import type { Permissions } from '@matterdesk/contract/permissions.ts';
import type { StreamItem } from '@matterdesk/contract/stream.ts';

export type Making = 'task' | 'deadline' | 'event';

/** Acts on an item; the stream says which of them its reader may do. */
export type Act =
  | { does: 'make'; what: Making }
  | { does: 'pin' | 'edit' | 'move' | 'delete' | 'unfile' | 'versions' | 'copy' | 'byPerson' };

/** Acts of the signed-in user on an item, and what may be made from it. */
export type Acts = { acts: readonly Act['does'][]; making: readonly Making[] };

type Reader = Pick<User, 'id' | 'role'> & {
  permissions: Pick<Permissions, 'createCases' | 'editTasks' | 'editCalendar'>;
};

/** The server decides. */
export function actsOn(item: StreamItem, reader: Reader): Acts {
  const { entry, actor } = item;
  const { createCases, editTasks, editCalendar } = reader.permissions;
  const isOwn = (entry?.author ?? actor)?.id === reader.id;
  const isKeeper = isOwn || createCases;
  const making = [
    ...(editTasks ? (['task'] as const) : []),
    ...(editCalendar ? (['deadline', 'event'] as const) : []),
  ];
  const byPerson = actor && actor.id !== '' ? (['byPerson'] as const) : [];
  if (entry && !entry.deleted)
    return {
      acts: [
        ...(isKeeper ? (['pin', 'move'] as const) : []),
        ...(isOwn ? (['edit'] as const) : []),
        'copy',
        ...byPerson,
        ...(isOwn || reader.role === 'admin' ? (['delete'] as const) : []),
      ],
      making,
    };
  // A text is filed by its owner alone, and taken back by who handles matters, too.
  const isFiledText = item.source === 'text' && item.kind === 'filed';
  return { acts: [...byPerson, ...(isFiledText && isKeeper ? (['unfile'] as const) : [])], making };
}
