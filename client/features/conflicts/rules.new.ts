import type { PartyRole } from '@matterdesk/contract/contacts.ts';

/** A name of a new check as it is typed; an empty role counts as any. */
export type TypedName = { name: string; role: PartyRole | '' };

/** Names of a new check at first: those of its subject, or an empty line. */
export function startNames(names: readonly TypedName[]): TypedName[] {
  const seen = new Set<string>();
  const kept = names.filter(({ name }) => {
    const key = name.trim().toLowerCase();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return kept.length > 0 ? kept : [{ name: '', role: '' }];
}
