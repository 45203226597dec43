import {
  actInWords as wordsOfAct,
  actionWords,
  entityWords,
  wholeActWords,
} from '@matterdesk/contract/audit-acts.ts';
import type { Entry } from '@matterdesk/contract/audit.ts';
import { deviceInWords, machineInWords } from '../../core/device.ts';
import { valueInWords } from '../../core/value-in-words.ts';
import { capitalize } from '../../core/words.ts';

export const entityOptions = optionsOf(entityWords);
export const actionOptions = optionsOf({ ...actionWords, ...wholeActWords });

const ALERTS = new Set(['signInFailed', 'signInSlowed', 'refused']);

function optionsOf(words: Readonly<Record<string, string>>) {
  const options = Object.entries(words).map(([value, label]) => ({
    value,
    label: capitalize(label),
  }));
  // Some entities call the same act otherwise; the other filters find these.
  return [...Map.groupBy(options, ({ label }) => label).values()]
    .flatMap(([first]) => first ?? [])
    .toSorted((a, b) => a.label.localeCompare(b.label));
}

/** 'Matter changed', 'Signed in'. */
export function actInWords({ entity, action }: Entry): string {
  return wordsOfAct(entity, action);
}

export function isAlert({ action }: Entry): boolean {
  return ALERTS.has(action);
}

/** The name of an entry's subject, what changed or happened, and the matter unless it is the subject. */
export function subjectOf(entry: Entry): { name: string; detail: string; matter: string } {
  const { name, action, caseName, entity } = entry;
  const matter = entity === 'case' || caseName === null ? '' : caseName;
  const said = (field: string) => entry.changes.find((change) => change.field === field)?.to ?? '';
  if (action === 'refused' && entity === 'request')
    return { name: '', detail: summaryInWords(said('summary')), matter };
  if (action === 'exported' && entity === 'list')
    return { name: '', detail: `${listsInWords[said('list')] ?? said('list')}, CSV`, matter };
  if (action.startsWith('signIn') && said('email') !== '')
    return { name: said('email'), detail: '', matter };
  if (entity === 'trash') return { name: '', detail: trashInWords(entry), matter };
  const isConfidential = entry.changes.some(({ from }) => from === null);
  const isChanged = isConfidential || (entry.before !== null && entry.after !== null);
  const labels = isChanged ? entry.changes.map(({ label }) => label) : [];
  return { name: name ?? '', detail: [...new Set(labels)].join(', '), matter };
}

const listsInWords: Record<string, string> = {
  Cases: 'Matters',
  Audit: 'Record',
  Conflict: 'Conflict check',
};

/** A route's summary in the words of the screen: 'Changes a case; archiving is …' → 'Changes a matter'. */
function summaryInWords(summary: string): string {
  const [act = ''] = summary.split(/[;,] /);
  return act.replaceAll(/\bcase(s?)\b/g, 'matter$1');
}

/** '12 files, 3.4 GB' */
function trashInWords({ changes }: Entry): string {
  const said = (field: string) => changes.find((change) => change.field === field)?.from ?? '0';
  const files = said('files');
  return `${files} ${files === '1' ? 'file' : 'files'}, ${valueInWords('bytes', said('bytes'))}`;
}

/** '10.0.4.18 · Chrome on macOS'; the server's own address and programs get a name. */
export function placeInWords({ address, agent }: Pick<Entry, 'address' | 'agent'>): string {
  const device = agent === null ? '' : deviceInWords(agent, 'A program');
  return [machineInWords(address), device].filter(Boolean).join(' · ');
}
