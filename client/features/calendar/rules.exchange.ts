import type { ImportAction, ImportItem } from '@matterdesk/contract/calendar-exchange.ts';

export const actionLabels: Record<ImportAction, string> = {
  add: 'Add',
  update: 'Update',
  cancel: 'Cancel',
  skip: 'Leave as it is',
};

function counted(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? word : `${word}s`}`;
}

/** Events that an import changes. */
export function changing(items: readonly ImportItem[]): number {
  return items.filter(({ action }) => action !== 'skip').length;
}

export function inEvents(count: number): string {
  return counted(count, 'event');
}

/** '12 events: 10 to add, 2 to leave as they are' */
export function summaryOf(items: readonly ImportItem[]): string {
  const words: Record<ImportAction, string> = {
    add: 'to add',
    update: 'to update',
    cancel: 'to cancel',
    skip: 'to leave',
  };
  const actions = Object.keys(words) as ImportAction[];
  const parts = actions
    .map((action) => ({ action, count: items.filter((item) => item.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ action, count }) => `${count.toLocaleString('en-US')} ${words[action]}`);
  return `${inEvents(items.length)}: ${parts.join(', ')}`;
}

/** 'Feb 3, 2027, 9:30 AM', where the reader is. */
export function startInWords(start: string): string {
  if (start === '') return '';
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  if (start.length === 10)
    return new Date(`${start}T00:00:00Z`).toLocaleDateString('en-US', { ...date, timeZone: 'UTC' });
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  return new Date(start).toLocaleString('en-US', { ...date, ...time });
}
