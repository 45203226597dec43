import type { User } from '@matterdesk/contract/accounts.ts';
import type { Permissions } from '@matterdesk/contract/permissions.ts';
import type { StreamItem } from '@matterdesk/contract/stream.ts';

export type MadeKind = 'task' | 'deadline' | 'event';

/** Acts on an item; `actsOn` says which the reader may do. */
export type Act =
  | { does: 'make'; what: MadeKind }
  | { does: 'pin' | 'edit' | 'move' | 'delete' | 'unfile' | 'versions' | 'copy' | 'byPerson' };

/** Acts of the signed-in user on an item, and what may be made from it. */
export type Acts = { acts: readonly Act['does'][]; making: readonly MadeKind[] };

type Reader = Pick<User, 'id' | 'role'> & {
  permissions: Pick<Permissions, 'createCases' | 'editTasks' | 'editCalendar'>;
};

/** A hint for the menu; the server checks each act. */
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
  // Only its owner files a text; anyone who handles matters can also remove it.
  const isFiledText = item.source === 'text' && item.kind === 'filed';
  return { acts: [...byPerson, ...(isFiledText && isKeeper ? (['unfile'] as const) : [])], making };
}
