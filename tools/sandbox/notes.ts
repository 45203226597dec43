import type { FiledCase } from '@matterdesk/contract/cases.ts';
import { streamRoutes, type CallInput, type NewEntry } from '@matterdesk/contract/stream.ts';
import { atWork } from '../seed/matters.ts';
import { signInStaff } from './firm.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** The newest matters, among which the samples are divided. */
const MATTERS = 24;

/** Writes notes and logs calls in the streams of a new firm, as its people did in the weeks before. */
export async function fillStreams(url: string, matters: FiledCase[]): Promise<void> {
  const { as, people, signOut } = await signInStaff(url);
  for (const [place, matter] of matters.slice(0, MATTERS).entries())
    for (const sample of samples.filter((_, at) => place === 0 || at % 3 === place % 3)) {
      const author = (sample.author + place) % people.length;
      const params = { id: matter.id };
      const body = toEntry(sample, matter);
      const { entry } = await as(author)(streamRoutes.addEntry, { params, body });
      if (sample.isPinned)
        await as(author)(streamRoutes.pinEntry, { params: entry, body: { pinned: true } });
    }
  await signOut();
}

function toEntry({ text, hours, call }: Sample, matter: FiledCase): Partial<NewEntry> {
  const { clientInfo, opposingCounselInfo } = matter;
  const fill = (words: string) =>
    words.replaceAll('{client}', clientInfo.name).replaceAll('{counsel}', opposingCounselInfo.name);
  const now = new Date();
  const before = new Date(now.getTime() - hours * HOUR_MS);
  const at = (hours < DAY_HOURS ? before : atWork(before, new Date(0), now)).toISOString();
  if (!call) return { kind: 'note', text: fill(text), at };
  const { isClient, ...known } = call;
  const other = isClient ? clientInfo : opposingCounselInfo;
  const number = other.phoneNumber;
  return {
    kind: 'call',
    text: fill(text),
    at,
    call: { ...known, contact: null, name: other.name, number },
  };
}

/** '{client}' and '{counsel}' stand for the names of a matter. */
type Sample = {
  text: string;
  /** Hours until now. */
  hours: number;
  /** A place in the list of people, from which each matter goes on by one. */
  author: number;
  isPinned?: true;
  call?: Pick<CallInput, 'direction' | 'seconds' | 'result'> & { isClient: boolean };
};

const samples: Sample[] = [
  {
    hours: 21 * DAY_HOURS,
    author: 0,
    text: 'First meeting with {client}. Wants to settle if the medical bills are covered; will not go below that. Prefers calls after four.',
    isPinned: true,
  },
  {
    hours: 17 * DAY_HOURS + 3,
    author: 1,
    text: '{client} asked when the treating doctor’s records will be here. Promised an answer by Friday.',
    call: { direction: 'in', seconds: 340, result: 'reached', isClient: true },
  },
  {
    hours: 15 * DAY_HOURS,
    author: 2,
    text: 'Records office needs the signed release again, the first one was faxed without page two. Sent it by courier.',
  },
  {
    hours: 9 * DAY_HOURS + 5,
    author: 0,
    text: '',
    call: { direction: 'out', seconds: null, result: 'leftMessage', isClient: false },
  },
  {
    hours: 8 * DAY_HOURS + 2,
    author: 1,
    text: '{counsel} offers a joint inspection of the vehicle before the deposition. I said we would confirm in writing.',
    call: { direction: 'in', seconds: 760, result: 'reached', isClient: false },
  },
  {
    hours: 6 * DAY_HOURS,
    author: 3,
    text: 'The adjuster’s estimate leaves out the towing. The invoice is in Evidence; ask {client} for the receipt of the rental car.',
  },
  {
    hours: 2 * DAY_HOURS + 4,
    author: 2,
    text: 'Line was busy twice.',
    call: { direction: 'out', seconds: null, result: 'busy', isClient: true },
  },
  {
    hours: DAY_HOURS + 1,
    author: 0,
    text: 'Talked the settlement range through with {client}: 60 to 75, with the lien paid out of it. Demand letter goes out once the last bill is in.',
    call: { direction: 'out', seconds: 1260, result: 'reached', isClient: true },
  },
  {
    hours: 3,
    author: 1,
    text: 'Draft of the demand letter is in Correspondence. Please read paragraph four before it goes out.',
  },
];
